/** Sends a request that was filled in. */
import type { Signal } from "@preact/signals";
import type { TryableOperation } from "../../api/contract.js";
import { control } from "../../api/control.js";
import { baseUrl } from "../../state/session.js";

/** Values of the form, by field name. */
export interface FormValues {
  parameters: Record<string, Signal<string>>;
  body: Signal<string>;
  /** Fields of a multipart body that are no files. */
  texts: Record<string, Signal<string>>;
  files: Record<string, File | null>;
  outcome: Signal<string>;
}

export interface TryReply {
  status: number;
  /** Id of the activity. */
  requestId: string | null;
  /** The body, or what it is where it is no text. */
  text: string;
  isText: boolean;
}

export async function send(operation: TryableOperation, values: FormValues, key: string): Promise<TryReply> {
  const headers = new Headers();
  if (operation.needsSession)
    headers.set("Authorization", `Bearer ${(await control.createSessionToken()).token}`);
  else headers.set("X-Service-Key", key);
  if (values.outcome.value) headers.set("X-Sandbox-Outcome", values.outcome.value);
  if (operation.bodyType === "application/json") headers.set("Content-Type", "application/json");
  const reply = await fetch(baseUrl + toTarget(operation, values), {
    method: operation.method,
    headers,
    body: toBody(operation, values),
  });
  const type = reply.headers.get("Content-Type") ?? "";
  const isText = /json|text/.test(type);
  const text = isText ? await reply.text() : `${type}, ${(await reply.arrayBuffer()).byteLength} bytes`;
  return { status: reply.status, requestId: reply.headers.get("X-Request-Id"), text, isText };
}

/** Returns path and query with the parameters of the form. */
function toTarget({ path, parameters }: TryableOperation, values: FormValues): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place } of parameters) {
    const value = values.parameters[name]?.value ?? "";
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && value !== "") query.set(name, value);
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

function toBody({ bodyType }: TryableOperation, values: FormValues): BodyInit | null {
  if (bodyType === null) return null;
  if (bodyType === "application/json") return values.body.value;
  const form = new FormData();
  for (const [name, value] of Object.entries(values.texts))
    if (value.value !== "") form.set(name, value.value);
  for (const [name, file] of Object.entries(values.files)) if (file) form.set(name, file);
  return form;
}
