/** Formats the request of the form as a call in the languages of the reference. */
import type { ApiOperation } from "../../api/operations.js";
import { formatCurl } from "../../pieces/format.js";
import { type FormValues, fileFields, requiredFields, takesJson, toTarget } from "./request-form.js";

/** Address and credentials of an example. */
export interface ExampleCaller {
  baseUrl: string;
  key: string;
  /** Whether the control API requires an admin token. */
  hasToken: boolean;
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

type Header = readonly [name: string, value: string];

/** The parts of a call that all languages show. */
interface ExampleCall {
  method: string;
  url: string;
  /** Headers with the credentials and, for JSON, the type of the body. */
  headers: readonly Header[];
  /** Null if the body is not JSON. */
  json: Record<string, unknown> | null;
  /** Fields of a form. The text of a file is null. */
  form: readonly { field: string; text: string | null }[];
}

function credentialsOf({ auth }: ApiOperation, { key, hasToken }: ExampleCaller): Header[] {
  if (auth === "none") return [];
  if (auth === "session") return [["Authorization", "Bearer SESSION_TOKEN"]];
  const admin: Header[] = auth === "control" && hasToken ? [["X-Sandbox-Admin", "ADMIN_TOKEN"]] : [];
  return [["X-Service-Key", key], ...admin];
}

/** Returns the typed JSON, or the example while the JSON cannot be parsed. */
function parseBody({ body }: FormValues, example: unknown): ExampleCall["json"] {
  try {
    return JSON.parse(body.value);
  } catch {
    return example as ExampleCall["json"];
  }
}

/** Returns the call that the form makes. Required and chosen files are placeholders. */
function toCall(operation: ApiOperation, values: FormValues, caller: ExampleCaller): ExampleCall {
  const needed = requiredFields(operation);
  const texts = Object.entries(values.texts).filter(([, { value }]) => value !== "");
  const files = fileFields(operation).filter((name) => needed.includes(name) || values.files[name]);
  const own = values.parameters.filter(({ parameter, value }) => parameter.in === "header" && value.value);
  const isJson = takesJson(operation);
  return {
    method: operation.method,
    url: caller.baseUrl + toTarget(operation, values),
    headers: [
      ...credentialsOf(operation, caller),
      ...own.map(({ parameter, value }): Header => [parameter.name, value.value]),
      ...(isJson ? [["Content-Type", "application/json"] as const] : []),
    ],
    json: isJson ? parseBody(values, operation.body?.example) : null,
    form: [
      ...texts.map(([field, { value }]) => ({ field, text: value })),
      ...files.map((field) => ({ field, text: null })),
    ],
  };
}

function formatFetch({ method, url, headers, json, form }: ExampleCall): string {
  const isForm = form.length > 0;
  return [
    ...(isForm ? ["const form = new FormData();"] : []),
    ...form.map(
      ({ field, text }) =>
        `form.set(${JSON.stringify(field)}, ${text === null ? "file" : JSON.stringify(text)});`,
    ),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${JSON.stringify(Object.fromEntries(headers))},`,
    ...(json ? [`  body: JSON.stringify(${JSON.stringify(json)}),`] : isForm ? ["  body: form,"] : []),
    "});",
  ].join("\n");
}

function formatPython({ method, url, headers, json, form }: ExampleCall): string {
  const data = form.filter(({ text }) => text !== null).map(({ field, text }) => [field, text]);
  const files = form
    .filter(({ text }) => text === null)
    .map(({ field }) => `${JSON.stringify(field)}: open("FILE", "rb")`);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    `    headers=${toPython(Object.fromEntries(headers))},`,
    ...(json ? [`    json=${toPython(json)},`] : []),
    ...(data.length > 0 ? [`    data=${toPython(Object.fromEntries(data))},`] : []),
    ...(files.length > 0 ? [`    files={${files.join(", ")}},`] : []),
    ")",
  ].join("\n");
}

const quotePhp = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

function formatPhp({ method, url, headers, json, form }: ExampleCall): string {
  const fields = form.map(
    ({ field, text }) => `${quotePhp(field)} => ${text === null ? "new CURLFile('FILE')" : quotePhp(text)}`,
  );
  const body = json ? quotePhp(JSON.stringify(json)) : `[${fields.join(", ")}]`;
  return [
    "<?php",
    `$call = curl_init(${quotePhp(url)});`,
    "curl_setopt_array($call, [",
    `    CURLOPT_CUSTOMREQUEST => ${quotePhp(method)},`,
    `    CURLOPT_HTTPHEADER => [${headers.map((header) => quotePhp(header.join(": "))).join(", ")}],`,
    ...(json || form.length > 0 ? [`    CURLOPT_POSTFIELDS => ${body},`] : []),
    "    CURLOPT_RETURNTRANSFER => true,",
    "]);",
    "echo curl_exec($call);",
  ].join("\n");
}

/** Formats a program in Go. JSON texts are string literals of Go, too. */
function formatGo({ method, url, headers, json, form }: ExampleCall): string {
  const literal = (text: string) => JSON.stringify(text);
  const isForm = form.length > 0;
  const parts = form.flatMap(({ field, text }) =>
    text === null
      ? [
          '\tfile, _ := os.Open("FILE")',
          `\tpart, _ := form.CreateFormFile(${literal(field)}, "FILE")`,
          "\tio.Copy(part, file)",
        ]
      : [`\tform.WriteField(${literal(field)}, ${literal(text)})`],
  );
  const packages = ["fmt", "io", "net/http", ...(isForm ? ["bytes", "mime/multipart"] : [])];
  if (json) packages.push("strings");
  if (form.some(({ text }) => text === null)) packages.push("os");
  const body = json ? `strings.NewReader(${literal(JSON.stringify(json))})` : isForm ? "&body" : "nil";
  return [
    "package main",
    "",
    "import (",
    ...packages.sort().map((name) => `\t${literal(name)}`),
    ")",
    "",
    "func main() {",
    ...(isForm
      ? ["\tvar body bytes.Buffer", "\tform := multipart.NewWriter(&body)", ...parts, "\tform.Close()"]
      : []),
    `\trequest, _ := http.NewRequest(${literal(method)}, ${literal(url)}, ${body})`,
    ...headers.map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`),
    ...(isForm ? ['\trequest.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\ttext, _ := io.ReadAll(response.Body)",
    "\tfmt.Println(response.Status, string(text))",
    "}",
  ].join("\n");
}

const formats = {
  curl: (call: ExampleCall) => formatCurl({ ...call, body: call.json && JSON.stringify(call.json) }),
  fetch: formatFetch,
  Python: formatPython,
  PHP: formatPhp,
  Go: formatGo,
} as const;
type Language = keyof typeof formats;
export const languages = Object.keys(formats) as Language[];

/** Formats the request of a form. */
export const formatExample = (
  language: Language,
  operation: ApiOperation,
  values: FormValues,
  caller: ExampleCaller,
): string => formats[language](toCall(operation, values, caller));
