/** What is read of a pact file: enough to know each interaction; all else is the verifier's. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../world/json.js";
import { modeOf } from "./credentials.js";
import type { StateChange } from "./interaction-run.js";

export interface PactInteraction {
  description: string;
  states: StateChange[];
  kind: "http" | "message";
  /** Of the key that the consumer sends. */
  mode: "test" | "live";
  /** What the consumer expects. */
  status: number | null;
}

export interface PactFile {
  /** As it was named. */
  source: string;
  text: string;
  consumer: string;
  provider: string;
  interactions: PactInteraction[];
}

/** What was named is no pact: the message says which, and why. */
export class NoPact extends Error {}

/** Files, all `*.json` of a folder, and http(s) URLs. Rejects with NoPact. */
export async function readPacts(
  sources: readonly string[],
  headers: Record<string, string>,
): Promise<PactFile[]> {
  const files = await Promise.all(sources.map(filesOf));
  return Promise.all(
    files.flat().map(async (source) => {
      const text = await textOf(source, headers);
      return toPact(source, text.replace(/^\uFEFF/, ""));
    }),
  );
}

const isUrl = (source: string): boolean => /^https?:\/\//.test(source);

async function filesOf(source: string): Promise<string[]> {
  if (isUrl(source)) return [source];
  const found = await stat(source).catch((error: Error) => {
    throw new NoPact(`${source} cannot be read: ${error.message}`);
  });
  if (!found.isDirectory()) return [source];
  const names = (await readdir(source)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new NoPact(`${source} has no .json file`);
  return names.map((name) => join(source, name));
}

async function textOf(source: string, headers: Record<string, string>): Promise<string> {
  if (!isUrl(source)) return readFile(source, "utf8");
  const response = await fetch(source, { headers }).catch((error: Error) => {
    throw new NoPact(`${source} cannot be fetched: ${((error.cause as Error) ?? error).message}`);
  });
  if (!response.ok) throw new NoPact(`${source} cannot be fetched: ${response.status}`);
  return response.text();
}

type Json = Record<string, unknown>;

function toPact(source: string, text: string): PactFile {
  let pact: Json;
  try {
    pact = JSON.parse(text);
  } catch (error) {
    throw new NoPact(`${source} is no JSON: ${(error as Error).message}`);
  }
  const { consumer, provider, interactions, messages } = (pact ?? {}) as {
    consumer?: { name?: string };
    provider?: { name?: string };
    interactions?: Json[];
    messages?: Json[];
  };
  const lists = [interactions ?? messages ?? null, messages ?? []];
  if (!lists.every(Array.isArray) || !consumer?.name || !provider?.name)
    throw new NoPact(`${source} is no pact: consumer, provider and interactions are needed`);
  const wrong = [interactions ?? [], messages ?? []].flat().find((one) => !isInteraction(one));
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong).slice(0, 200);
    throw new NoPact(
      `${source} is no pact: an interaction is an object whose states are named; got ${shown}`,
    );
  }
  return {
    source,
    text,
    consumer: consumer.name,
    provider: provider.name,
    interactions: [
      ...(interactions ?? []).map(toInteraction),
      ...(messages ?? []).map((message) => ({ ...toInteraction(message), kind: "message" as const })),
    ],
  };
}

/** As far as it is read here. */
function isInteraction(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { providerStates, request, response } = value;
  const states = Array.isArray(providerStates) ? providerStates : [];
  return (
    states.every(
      (state) => isObject(state) && typeof state.name === "string" && isObject(state.params ?? {}),
    ) && [request ?? {}, response ?? {}].every(isObject)
  );
}

function toInteraction(interaction: Json): PactInteraction {
  const {
    description = "",
    type,
    request,
    response,
  } = interaction as {
    description?: string;
    type?: string;
    request?: { headers?: Record<string, string | string[]> };
    response?: { status?: number };
  };
  const headers = Object.entries(request?.headers ?? {});
  const key = String(headers.find(([name]) => name.toLowerCase() === "x-service-key")?.[1] ?? "");
  return {
    description,
    states: statesOf(interaction),
    kind: type === "Asynchronous/Messages" || !request ? "message" : "http",
    mode: modeOf(key),
    status: response?.status ?? null,
  };
}

/** Before version 3 a state is a text. */
function statesOf({ providerStates, providerState }: Json): StateChange[] {
  const named = providerStates ?? providerState;
  if (typeof named === "string") return [{ name: named, params: {} }];
  if (!Array.isArray(named)) return [];
  return named.map(({ name, params }: { name: string; params?: Record<string, unknown> | null }) => ({
    name,
    params: params ?? {},
  }));
}
