/** Sends a request that was filled in. */
import type { Signal } from "@preact/signals";
import type { ApiOperation, Parameter } from "../../api/contract.js";
import { call } from "../../api/control.js";
import { adminToken, baseUrl, chosenAccount } from "../../state/session.js";

/** Values of the form. */
export interface FormValues {
  parameters: readonly { parameter: Parameter; value: Signal<string> }[];
  body: Signal<string>;
  /** Fields of a multipart body that are no files, by name. */
  texts: Record<string, Signal<string>>;
  files: Record<string, File | null>;
  outcome: Signal<string>;
}

export interface TryReply {
  status: number;
  /** Id of the activity. */
  requestId: string | null;
  /** Time until the whole reply had arrived, in ms. */
  duration: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** The body, or null if it is no text. */
  text: string | null;
  body: Blob;
}

export async function send(operation: ApiOperation, values: FormValues, key: string): Promise<TryReply> {
  const headers = new Headers(await credentialsFor(operation, key));
  if (values.outcome.value) headers.set("X-Sandbox-Outcome", values.outcome.value);
  if (operation.bodyType === "application/json") headers.set("Content-Type", "application/json");
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

async function credentialsFor({ credential }: ApiOperation, key: string): Promise<Record<string, string>> {
  if (credential === "none") return {};
  if (credential === "key") return { "X-Service-Key": key };
  // Session tokens expire after an hour, on a clock that can be advanced. Each call therefore gets a new one.
  if (credential === "session")
    return { Authorization: `Bearer ${(await call("createSessionToken")).token}` };
  const [account, token] = [chosenAccount.value, adminToken.value];
  return {
    ...(account !== null && { "X-Sandbox-Account": account }),
    ...(token !== null && { "X-Sandbox-Admin": token }),
  };
}

/** Returns path and query with the parameters of the form. */
function toTarget({ path }: ApiOperation, { parameters }: FormValues): string {
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

function toBody({ bodyType }: ApiOperation, values: FormValues): BodyInit | null {
  if (bodyType === null) return null;
  if (bodyType === "application/json") return values.body.value;
  const form = new FormData();
  for (const [name, value] of Object.entries(values.texts))
    if (value.value !== "") form.set(name, value.value);
  for (const [name, file] of Object.entries(values.files)) if (file) form.set(name, file);
  return form;
}
