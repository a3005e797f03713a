/** Reads the parts of a pact file that identify its interactions. The verifier reads everything else. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { modeOfKey } from "../../contract/api-keys.js";
import { describeFailedRequest } from "../../contract/failed-request.js";
import { isObject } from "../../contract/json.js";
import { describeFileError, FileError, parseJsonFile, readTextFile } from "../../contract/read-file.js";

/** A provider state with the parameters that a pact gives it. */
export interface StateCall {
  name: string;
  params: Record<string, unknown>;
}

export interface PactInteraction {
  description: string;
  states: StateCall[];
  kind: "http" | "message";
  /** Mode of the API key that the consumer sends. */
  mode: "test" | "live";
  /** Status that the consumer expects; null for messages. */
  status: number | null;
  /** Paths of the expected body whose value must match a regular expression, with the expression. */
  patterns: readonly ExpectedPattern[];
}

export interface ExpectedPattern {
  /** JSON path, such as `$.items[*].name`. */
  path: string;
  regex: string;
}

/** A step of a JSON path: `.name`, `['name']`, `[0]`, `.*` or `[*]`. */
const step = /\.(?<name>[\w$-]+|\*)|\[(?:'(?<quoted>[^']*)'|(?<index>\d+|\*))\]/y;

/** Returns the steps of a JSON path, or null if it has others. */
export function stepsOf(path: string): string[] | null {
  const steps: string[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path)?.groups;
    if (!found) return null;
    steps.push((found.name ?? found.quoted ?? found.index) as string);
  }
  return path.startsWith("$") ? steps : null;
}

export interface PactFile {
  /** The path or URL that the file was read from. */
  source: string;
  text: string;
  consumer: string;
  provider: string;
  interactions: PactInteraction[];
}

/** Reads files, all `*.json` files of folders, and http(s) URLs. Rejects with a FileError. */
export async function readPacts(
  sources: readonly string[],
  headers: Record<string, string>,
): Promise<PactFile[]> {
  const files = await Promise.all(sources.map(filesOf));
  return Promise.all(
    files.flat().map(async (source) => {
      const text = await (isUrl(source) ? fetchText(source, { headers }) : readTextFile(source));
      return parsePact(source, text);
    }),
  );
}

const isUrl = (source: string): boolean => /^https?:\/\//.test(source);

async function filesOf(source: string): Promise<string[]> {
  if (isUrl(source)) return [source];
  const stats = await stat(source).catch((error: Error) => {
    throw new FileError(`${source} cannot be read: ${describeFileError(error)}`);
  });
  if (!stats.isDirectory()) return [source];
  const names = (await readdir(source)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new FileError(`${source} has no .json file`);
  return names.map((name) => join(source, name));
}

/**
 * Fetches a text from a server of pacts. The platform's `fetch` follows the server's redirects and unpacks what it compresses.
 * Rejects with a FileError.
 */
export async function fetchText(source: string, init: RequestInit): Promise<string> {
  const response = await fetch(source, init).catch((error: unknown) => {
    throw new FileError(`${source} cannot be fetched: ${describeFailedRequest(error)}`);
  });
  if (!response.ok) throw new FileError(`${source} cannot be fetched: ${response.status}`);
  return response.text();
}

type Json = Record<string, unknown>;

/** A message that expects answers; its `response` is a list. */
const synchronousMessage = "Synchronous/Messages";

/** Throws a FileError. */
export function parsePact(source: string, text: string): PactFile {
  const pact = parseJsonFile(text, source);
  const { consumer, provider, interactions, messages } = (pact ?? {}) as {
    consumer?: { name?: string };
    provider?: { name?: string };
    interactions?: Json[];
    messages?: Json[];
  };
  const lists = [interactions ?? messages ?? null, messages ?? []];
  if (!lists.every(Array.isArray) || !consumer?.name || !provider?.name)
    throw new FileError(`${source} is not a pact: it needs consumer, provider and interactions`);
  const wrong = [interactions ?? [], messages ?? []]
    .flat()
    .find((interaction) => !isInteraction(interaction));
  if (wrong !== undefined) {
    const excerpt = JSON.stringify(wrong).slice(0, 200);
    throw new FileError(
      `${source} is not a pact: each interaction must be an object, each of its states must have a name; got ${excerpt}`,
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

/** Checks only the parts that are read here. */
function isInteraction(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, providerStates, request, response } = value;
  const states = Array.isArray(providerStates) ? providerStates : [];
  const responses = type === synchronousMessage ? [response ?? []].flat() : [response ?? {}];
  return (
    states.every(
      (state) => isObject(state) && typeof state.name === "string" && isObject(state.params ?? {}),
    ) && [request ?? {}, ...responses].every(isObject)
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
    response?: { status?: number; matchingRules?: unknown };
  };
  const headers = Object.entries(request?.headers ?? {});
  const key = String(headers.find(([name]) => name.toLowerCase() === "x-service-key")?.[1] ?? "");
  return {
    description,
    states: statesOf(interaction),
    kind: type?.endsWith("/Messages") || !request ? "message" : "http",
    mode: modeOfKey(key),
    status: response?.status ?? null,
    patterns: patternsIn(response?.matchingRules ?? interaction.matchingRules),
  };
}

interface BodyRule {
  match?: string;
  regex?: string;
  combine?: string;
  matchers?: { match?: string; regex?: string }[];
}

/** Before version 3 of the specification, rules are `{ "$.body.name": { match, regex } }`. */
function patternsIn(matchingRules: unknown): ExpectedPattern[] {
  if (!isObject(matchingRules)) return [];
  const { body } = matchingRules;
  const rules = isObject(body)
    ? Object.entries(body)
    : Object.entries(matchingRules)
        .filter(([path]) => /^\$\.body\b/.test(path))
        .map(([path, rule]) => [path.replace(/^\$\.body/, "$"), rule] as const);
  return rules.flatMap(([path, rule]) => {
    const { combine = "AND", matchers = [rule as BodyRule] } = (rule ?? {}) as BodyRule;
    const isChoice = combine === "OR" && matchers.length > 1;
    return isChoice
      ? []
      : matchers.flatMap(({ regex }) => (typeof regex === "string" ? [{ path, regex }] : []));
  });
}

/** Before version 3 of the specification, `providerState` is a string. */
function statesOf({ providerStates, providerState }: Json): StateCall[] {
  const states = providerStates ?? providerState;
  if (typeof states === "string") return [{ name: states, params: {} }];
  if (!Array.isArray(states)) return [];
  return states.map(({ name, params }: { name: string; params?: Record<string, unknown> | null }) => ({
    name,
    params: params ?? {},
  }));
}
