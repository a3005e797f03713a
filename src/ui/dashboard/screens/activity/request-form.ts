/** The values of a form that tries a request, and the request that they make. */
import { batch, type Signal, signal } from "@preact/signals";
import { hidden } from "../../../../contract/secrets.js";
import { call, onlyItem } from "../../api/control.js";
import type { ApiOperation, Parameter, Schema } from "../../api/operations.js";
import { route } from "../../state/route.js";
import { adminToken, baseUrl, chosenAccount } from "../../state/session.js";

/** Values of the form. */
export interface FormValues {
  parameters: readonly { parameter: Parameter; value: Signal<string> }[];
  body: Signal<string>;
  /** Text fields of a multipart body, by name. */
  texts: Record<string, Signal<string>>;
  files: Record<string, File | null>;
  outcome: Signal<string>;
}

export const takesJson = ({ body }: ApiOperation): boolean => body?.type === "application/json";

/** Returns the fields of a body of JSON or of a form. */
export const bodyFields = ({ body }: ApiOperation): Readonly<Record<string, Schema>> =>
  (body?.schema as Schema | undefined)?.properties ?? {};

export const requiredFields = ({ body }: ApiOperation): readonly string[] =>
  (body?.schema as Schema | undefined)?.required ?? [];

/** Returns the initial values of the form: the example of the operation. */
export function toValues(operation: ApiOperation): FormValues {
  const { parameters, body } = operation;
  const isJson = takesJson(operation);
  const example = (body?.example ?? {}) as Record<string, unknown>;
  const texts = Object.entries(isJson ? {} : bodyFields(operation)).flatMap(([name, field]) =>
    isFileField(field) ? [] : [[name, signal(String(example[name] ?? ""))] as const],
  );
  return {
    parameters: parameters.map((parameter) => ({
      parameter,
      value: signal(parameter.required ? String(parameter.example) : ""),
    })),
    body: signal(isJson ? formatBody(example) : ""),
    texts: Object.fromEntries(texts),
    files: {},
    outcome: signal(""),
  };
}

const formatBody = (body: unknown): string => JSON.stringify(body, null, 2);

/** Returns whether a field of a form is a file, or a list of files. */
const isFileField = ({ format, items }: Schema): boolean => format === "binary" || items?.format === "binary";

export const fileFields = (operation: ApiOperation): string[] =>
  takesJson(operation)
    ? []
    : Object.entries(bodyFields(operation)).flatMap(([name, field]) => (isFileField(field) ? [name] : []));

/** Fills in the request that is tried again, with values of the example for its secrets, or else the ids of existing records. */
export async function prefill(values: FormValues): Promise<void> {
  const from = route.value.query.get("from");
  if (from) {
    const { body } = await onlyItem(call("listRequests", { query: { id: from } }));
    if (!body) return;
    const example = JSON.parse(values.body.value || "{}") as Record<string, unknown>;
    const filled = JSON.parse(body, (name, value) => (value === hidden ? (example[name] ?? value) : value));
    values.body.value = formatBody(filled);
    return;
  }
  const { items } = await call("listActivity", { query: { limit: 200 } });
  const ids = items.flatMap(({ wrote }) => wrote.map(({ id }) => id));
  batch(() => {
    for (const { value } of values.parameters) value.value = String(fill(value.value, ids));
    if (!values.body.value) return;
    const body = Object.entries(JSON.parse(values.body.value) as object);
    values.body.value = formatBody(Object.fromEntries(body.map(([name, value]) => [name, fill(value, ids)])));
  });
}

const placeholder = /^([a-z]+_)0123456789abcdef$/;

/** Replaces a placeholder id of an example with the id of the newest record of its kind. */
function fill(value: unknown, ids: readonly string[]): unknown {
  const [, prefix] = typeof value === "string" ? (placeholder.exec(value) ?? []) : [];
  return (prefix && ids.find((id) => id.startsWith(prefix))) || value;
}

/** Changes fields of the JSON body, which may not be valid while somebody types it. */
export function changeBody({ body }: FormValues, changes: Readonly<Record<string, unknown>>): void {
  let typed = {};
  try {
    typed = JSON.parse(body.value) as object;
  } catch {
    // It is replaced.
  }
  body.value = formatBody({ ...typed, ...changes });
}

export interface TryReply {
  status: number;
  /** Id of the activity. */
  requestId: string | null;
  /** Time until the whole reply had arrived, in ms. */
  duration: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** The body, or null unless it is text. */
  text: string | null;
  body: Blob;
}

export async function send(operation: ApiOperation, values: FormValues, key: string): Promise<TryReply> {
  const headers = new Headers(await credentialsFor(operation, key));
  if (values.outcome.value) headers.set("X-Sandbox-Outcome", values.outcome.value);
  if (takesJson(operation)) headers.set("Content-Type", "application/json");
  for (const { parameter, value } of values.parameters)
    if (parameter.in === "header" && value.value !== "") headers.set(parameter.name, value.value);
  const startedAt = performance.now();
  const reply = await fetch(baseUrl + toTarget(operation, values), {
    method: operation.method,
    headers,
    body: toBody(operation, values),
  });
  const body = await reply.blob();
  const isText = body.size === 0 || /json|^text\//.test(body.type);
  return {
    status: reply.status,
    requestId: reply.headers.get("X-Request-Id"),
    duration: performance.now() - startedAt,
    headers: [...reply.headers],
    text: isText ? await body.text() : null,
    body,
  };
}

async function credentialsFor({ auth }: ApiOperation, key: string): Promise<Record<string, string>> {
  if (auth === "none") return {};
  if (auth === "key") return { "X-Service-Key": key };
  // Session tokens expire after an hour, on a clock that can be advanced. Each call therefore gets a new one.
  if (auth === "session") return { Authorization: `Bearer ${(await call("createSessionToken")).token}` };
  const [account, token] = [chosenAccount.value, adminToken.value];
  return {
    ...(account !== null && { "X-Sandbox-Account": account }),
    ...(token !== null && { "X-Sandbox-Admin": token }),
  };
}

/** Returns path and query with the parameters of the form. */
export function toTarget({ path }: ApiOperation, { parameters }: FormValues): string {
  const query = new URLSearchParams();
  let target = path;
  for (const {
    parameter: { name, in: place },
    value: { value },
  } of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && value !== "") query.set(name, value);
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

function toBody(operation: ApiOperation, values: FormValues): BodyInit | null {
  if (operation.body === null) return null;
  if (takesJson(operation)) return values.body.value;
  const form = new FormData();
  for (const [name, value] of Object.entries(values.texts))
    if (value.value !== "") form.set(name, value.value);
  for (const [name, file] of Object.entries(values.files)) if (file) form.set(name, file);
  return form;
}
