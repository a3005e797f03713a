/** Reads the state changes that verifiers request: in the body, or with --state-change-as-query in the query. */
import type { TSchema } from "typebox";
import { providerStates } from "../provider-states/provider-states.js";

export interface StateChange {
  action?: string;
  state?: string | null;
  params?: Record<string, unknown>;
}

export function readStateChange(body: string, query: string): StateChange {
  if (body !== "") return JSON.parse(body) as StateChange;
  const { action, state, ...params } = Object.fromEntries(new URLSearchParams(query));
  const schemas = providerStates.find(({ name }) => name === state)?.params.properties ?? {};
  return {
    ...(action === undefined ? {} : { action }),
    ...(state === undefined ? {} : { state }),
    params: Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, parseParam(schemas[name], text)]),
    ),
  };
}

/** Verifiers write texts as they are, and all other values as JSON. */
function parseParam(schema: TSchema | undefined, text: string): unknown {
  if (!schema || "enum" in schema || ("type" in schema && schema.type === "string")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
