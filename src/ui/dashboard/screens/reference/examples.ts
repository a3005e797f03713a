/** Example calls of an operation in the languages of the reference. */
import { exampleBody, exampleOf, type TryableOperation } from "../../api/contract.js";

export const languages = ["curl", "fetch", "Python"] as const;
type Language = (typeof languages)[number];

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the path with examples for its parameters, and the query parameters that are required. */
function toTarget({ path, parameters }: TryableOperation): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, required, schema } of parameters) {
    const value = String(exampleOf(schema) ?? name.toUpperCase());
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && required) query.set(name, value);
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

/** Formats a call with the required fields. Files and other fields of a form are placeholders. */
export function formatExample(
  language: Language,
  operation: TryableOperation,
  baseUrl: string,
  key: string,
): string {
  const { method, body, bodyType, needsSession } = operation;
  const [name, value] = needsSession ? ["Authorization", "Bearer SESSION_TOKEN"] : ["X-Service-Key", key];
  const url = baseUrl + toTarget(operation);
  const fields = body ? exampleBody(body) : {};
  const isJson = bodyType === "application/json";
  const form =
    isJson || !body ? [] : (body.required ?? []).map((field) => ({ field, file: isFile(operation, field) }));
  const text = (field: string) => String(fields[field] || field.toUpperCase());
  if (language === "curl")
    return [
      `curl ${method === "GET" ? "" : `-X ${method} `}${quote(url)}`,
      `-H ${quote(`${name}: ${value}`)}`,
      ...(isJson ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(fields))}`] : []),
      ...form.map(({ field, file }) => `-F ${quote(`${field}=${file ? "@FILE" : text(field)}`)}`),
    ].join(" \\\n  ");
  if (language === "fetch")
    return [
      ...(form.length > 0 ? ["const form = new FormData();"] : []),
      ...form.map(
        ({ field, file }) =>
          `form.set(${JSON.stringify(field)}, ${file ? "file" : JSON.stringify(text(field))});`,
      ),
      `const response = await fetch(${JSON.stringify(url)}, {`,
      `  method: ${JSON.stringify(method)},`,
      `  headers: { ${JSON.stringify(name)}: ${JSON.stringify(value)}${isJson ? ', "Content-Type": "application/json"' : ""} },`,
      ...(isJson
        ? [`  body: JSON.stringify(${JSON.stringify(fields)}),`]
        : form.length > 0
          ? ["  body: form,"]
          : []),
      "});",
    ].join("\n");
  const data = form
    .filter(({ file }) => !file)
    .map(({ field }) => `${JSON.stringify(field)}: ${JSON.stringify(text(field))}`);
  const files = form
    .filter(({ file }) => file)
    .map(({ field }) => `${JSON.stringify(field)}: open("FILE", "rb")`);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    `    headers={${JSON.stringify(name)}: ${JSON.stringify(value)}},`,
    ...(isJson ? [`    json=${toPython(fields)},`] : []),
    ...(data.length > 0 ? [`    data={${data.join(", ")}},`] : []),
    ...(files.length > 0 ? [`    files={${files.join(", ")}},`] : []),
    ")",
  ].join("\n");
}

function isFile({ body }: TryableOperation, field: string): boolean {
  const { format, items } = body?.properties?.[field] ?? {};
  return format === "binary" || items?.format === "binary";
}

/** Formats a JSON value as a Python literal. */
function toPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${toPython(inner)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}
