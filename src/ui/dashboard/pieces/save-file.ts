/** Hands a file to the browser, which saves it under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves a value as a file of JSON. */
export const saveJson = (value: unknown, name: string): void =>
  saveFile(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }), name);
