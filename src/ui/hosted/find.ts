/** Returns the element with an id, or null: pages leave out elements that their state does not need. */
export function find<T extends Element>(id: string, type: new () => T): T | null {
  const element = document.getElementById(id);
  return element instanceof type ? element : null;
}

/** Shows a text in the status line `id`, which screen readers announce. */
export function showStatus(id: string, text: string): void {
  const status = document.getElementById(id);
  if (status) status.textContent = text;
}
