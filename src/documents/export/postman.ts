/** Writes calls as a Postman collection (format 2.1), which most tools for HTTP import. */
import { type ExportInput, type GivenVariable, type SampleCall, sessionTokenVariable } from "./calls.js";

/** Formats a JSON pointer as JavaScript that reads from a value: `/0/id` becomes `[0].id`. */
const formatPlace = (pointer: string): string =>
  pointer
    .slice(1)
    .split("/")
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join("");

/** Returns the script that stores values of a reply for later calls. */
function scriptOf(gives: readonly GivenVariable[]): object[] {
  if (gives.length === 0) return [];
  const lines = gives.map(({ variable, pointer }) => {
    return `pm.collectionVariables.set(${JSON.stringify(variable)}, pm.response.json()${formatPlace(pointer)});`;
  });
  return [{ listen: "test", script: { type: "text/javascript", exec: lines } }];
}

function bodyOf({ body, files }: SampleCall): object | undefined {
  if (files)
    return {
      mode: "formdata",
      formdata: [
        ...Object.entries(body ?? {}).map(([key, value]) => ({ key, value: String(value), type: "text" })),
        ...files.map(({ field, path }) => ({ key: field, type: "file", src: path })),
      ],
    };
  if (!body) return undefined;
  return {
    mode: "raw",
    raw: JSON.stringify(body, null, 2),
    options: { raw: { language: "json" } },
  };
}

const bearer = {
  type: "bearer",
  bearer: [{ key: "token", value: `{{${sessionTokenVariable}}}`, type: "string" }],
};

const toItem = (call: SampleCall): object => ({
  name: call.name,
  event: scriptOf(call.gives),
  request: {
    method: call.method,
    header: call.body && !call.files ? [{ key: "Content-Type", value: "application/json" }] : [],
    ...(call.auth === "session" ? { auth: bearer } : {}),
    body: bodyOf(call),
    url: { raw: `{{baseUrl}}${call.path}`, host: ["{{baseUrl}}"], ...pathParts(call.path) },
    description: call.summary,
  },
  response: [],
});

function pathParts(target: string): object {
  const [path = "", query] = target.split("?");
  const pairs = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }));
  return { path: path.split("/").slice(1), ...(pairs.length > 0 ? { query: pairs } : {}) };
}

/** Groups calls. Groups and calls keep their order. */
function groupsOf(calls: readonly SampleCall[]): { name: string; members: readonly SampleCall[] }[] {
  const names = [...new Set(calls.map(({ group }) => group))];
  return names.map((name) => ({ name, members: calls.filter(({ group }) => group === name) }));
}

export function toPostman({ title, description, baseUrl, key, calls }: ExportInput): object {
  return {
    info: {
      name: title,
      description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "X-Service-Key", type: "string" },
        { key: "value", value: "{{key}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: [
      { key: "baseUrl", value: baseUrl },
      { key: "key", value: key },
    ],
    item: groupsOf(calls).map(({ name, members }) => ({ name, item: members.map(toItem) })),
  };
}
