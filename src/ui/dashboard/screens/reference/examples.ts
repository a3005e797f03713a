/** Example calls of an operation in the languages of the reference. */
import { type ApiOperation, exampleOfBody, exampleOfSchema, isFileField } from "../../api/contract.js";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Where an example is sent, and with what. */
export interface ExampleCaller {
  baseUrl: string;
  key: string;
  /** Whether the control API asks for an admin token. */
  hasToken: boolean;
}

/** Returns the path with examples for its parameters, and the query parameters that are required. */
function toTarget({ path, parameters }: ApiOperation): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, required, schema } of parameters) {
    const value = String(exampleOfSchema(schema) ?? name.toUpperCase());
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && required) query.set(name, value);
  }
  return query.size > 0 ? `${target}?${query}` : target;
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

/** The parts of a call that an example shows in every language. */
interface ExampleCall {
  method: string;
  url: string;
  /** Headers with the credentials. */
  headers: readonly Header[];
  /** Null if the body is not JSON. */
  json: Record<string, unknown> | null;
  /** Fields of a form. The text of a file is null. */
  form: readonly { field: string; text: string | null }[];
}

function credentialsOf({ credential }: ApiOperation, { key, hasToken }: ExampleCaller): Header[] {
  if (credential === "none") return [];
  if (credential === "session") return [["Authorization", "Bearer SESSION_TOKEN"]];
  const admin: Header[] = credential === "control" && hasToken ? [["X-Sandbox-Admin", "ADMIN_TOKEN"]] : [];
  return [["X-Service-Key", key], ...admin];
}

/** Returns the call with its required fields. Files and texts without an example are placeholders. */
function toCall(operation: ApiOperation, caller: ExampleCaller): ExampleCall {
  const { method, body, bodyType } = operation;
  const fields = body ? exampleOfBody(body) : {};
  const isJson = bodyType === "application/json";
  const isUpload = (field: string) => isFileField(body?.properties?.[field] ?? {});
  return {
    method,
    url: caller.baseUrl + toTarget(operation),
    headers: credentialsOf(operation, caller),
    json: isJson ? fields : null,
    form: ((!isJson && body?.required) || []).map((field) => ({
      field,
      text: isUpload(field) ? null : String(fields[field] || field.toUpperCase()),
    })),
  };
}

const formatCurl = ({ method, url, headers, json, form }: ExampleCall): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(url)}`,
    ...headers.map((header) => `-H ${quote(header.join(": "))}`),
    ...(json ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(json))}`] : []),
    ...form.map(({ field, text }) => `-F ${quote(`${field}=${text ?? "@FILE"}`)}`),
  ].join(" \\\n  ");

function formatFetch({ method, url, headers, json, form }: ExampleCall): string {
  const isForm = form.length > 0;
  const sent = Object.fromEntries([...headers, ...(json ? [["Content-Type", "application/json"]] : [])]);
  return [
    ...(isForm ? ["const form = new FormData();"] : []),
    ...form.map(
      ({ field, text }) =>
        `form.set(${JSON.stringify(field)}, ${text === null ? "file" : JSON.stringify(text)});`,
    ),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${JSON.stringify(sent)},`,
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
  const sent = [...headers, ...(json ? [["Content-Type", "application/json"]] : [])];
  const fields = form.map(
    ({ field, text }) => `${quotePhp(field)} => ${text === null ? "new CURLFile('FILE')" : quotePhp(text)}`,
  );
  const body = json ? quotePhp(JSON.stringify(json)) : `[${fields.join(", ")}]`;
  return [
    "<?php",
    `$call = curl_init(${quotePhp(url)});`,
    "curl_setopt_array($call, [",
    `    CURLOPT_CUSTOMREQUEST => ${quotePhp(method)},`,
    `    CURLOPT_HTTPHEADER => [${sent.map((header) => quotePhp(header.join(": "))).join(", ")}],`,
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
  const sent = [...headers, ...(json ? [["Content-Type", "application/json"] as const] : [])];
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
    ...sent.map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`),
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
  curl: formatCurl,
  fetch: formatFetch,
  Python: formatPython,
  PHP: formatPhp,
  Go: formatGo,
} as const;
type Language = keyof typeof formats;
export const languages = Object.keys(formats) as Language[];

/** Formats an example call of an operation. */
export const formatExample = (language: Language, operation: ApiOperation, caller: ExampleCaller): string =>
  formats[language](toCall(operation, caller));
