/** Values of the try-out form. */
import { batch, signal } from "@preact/signals";
import { hidden } from "../../../../contract/redact.js";
import { type ApiOperation, exampleOfBody, exampleOfSchema, isFileField } from "../../api/contract.js";
import { call } from "../../api/control.js";
import { route } from "../../state/route.js";
import type { FormValues } from "./send.js";

export function toValues(operation: ApiOperation): FormValues {
  const { parameters, body, bodyType } = operation;
  const isJson = bodyType === "application/json";
  const texts = isJson
    ? {}
    : Object.fromEntries(textFields(operation).map((name) => [name, signal(toText(name, operation))]));
  return {
    parameters: parameters.map((parameter) => ({
      parameter,
      value: signal(parameter.required ? String(exampleOfSchema(parameter.schema) ?? "") : ""),
    })),
    body: signal(isJson && body ? formatBody(exampleOfBody(body)) : ""),
    texts,
    files: {},
    outcome: signal(""),
  };
}

const formatBody = (body: unknown): string => JSON.stringify(body, null, 2);

const toText = (name: string, { body }: ApiOperation): string =>
  body?.required?.includes(name) ? String(exampleOfSchema(body.properties?.[name] ?? {}) ?? "") : "";

const textFields = ({ body }: ApiOperation): string[] =>
  Object.entries(body?.properties ?? {}).flatMap(([name, field]) => (isFileField(field) ? [] : [name]));

export const fileFields = ({ body, bodyType }: ApiOperation): string[] =>
  bodyType === "application/json"
    ? []
    : Object.entries(body?.properties ?? {}).flatMap(([name, field]) => (isFileField(field) ? [name] : []));

/** Fills in the request that is tried again, with the example's values for its secrets, or the ids of records that exist. */
export async function prefill(values: FormValues): Promise<void> {
  const from = route.value.query.get("from");
  if (from) {
    const { body } = await call("getRequest", { params: { id: from } });
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

/** Puts the newest record's id where an example has none that exists. */
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
