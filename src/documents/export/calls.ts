/** One call of each operation, in an order that satisfies their dependencies, for the collections of other tools. */
import { controlRoutes } from "../../contract/control-routes.js";
import { type AnyOperation, methodOf, pathOf, type Route } from "../../contract/operation.js";
import { exampleBody, exampleQuery } from "../../pact/examples.js";
import { fixtureFor } from "../../scenarios/bundled-scenarios.js";
import { serviceSections } from "../../service/sections.js";
import { type Link, linksBetween } from "../openapi/links.js";
import { tagOf } from "../openapi/tags.js";

export interface SampleCall {
  readonly name: string;
  readonly summary: string;
  /** Group of the interface. */
  readonly group: string;
  readonly method: string;
  /** Path with query. Values from earlier calls are variables, such as `{{verifyAddress_id}}`. */
  readonly path: string;
  /** Credentials: the API key, or a session token from an earlier call. */
  readonly auth: "key" | "session";
  /** Fields of the body or form, with variables. Null for calls without one. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Files of a form. Null for other bodies. */
  readonly files: readonly { field: string; path: string; type: string }[] | null;
  /** Values of the reply that later calls use. */
  readonly gives: readonly GivenVariable[];
}

export interface GivenVariable {
  readonly variable: string;
  /** JSON pointer into the reply. */
  readonly pointer: string;
}

/** Inputs of an export. */
export interface ExportInput {
  title: string;
  description: string;
  /** Without a trailing slash. */
  baseUrl: string;
  key: string;
  calls: readonly SampleCall[];
  /** OpenAPI document. */
  contract: object;
}

export const sessionTokenVariable = "session_token";

const variableOf = ({ from, pointer }: Link): string => `${from.id}_${pointer.split("/").at(-1)}`;

/** Values that differ from the examples: a payment of NGN 5,000, less its fee, has to cover both. */
const values: Readonly<Record<string, object>> = {
  createPayout: { amount: 1_000 },
  createRefund: { amount: 500 },
};

/** Calls of the control API that an operation needs beforehand, by its id. */
const preparations: Readonly<Record<string, Omit<SampleCall, "group">>> = {
  startDomainVerification: prepare(
    "createSessionToken",
    "Get a session token for the domain endpoints",
    null,
    [{ variable: sessionTokenVariable, pointer: "/token" }],
  ),
  createPayout: prepare("advanceClock", "A day passes, and the payments are settled", { by: "24h" }, []),
};

function prepare(
  id: keyof typeof controlRoutes,
  summary: string,
  body: SampleCall["body"],
  gives: readonly GivenVariable[],
): Omit<SampleCall, "group"> {
  const route = { route: controlRoutes[id] as Route };
  const [method, path] = [methodOf(route), pathOf(route)];
  return { name: id, summary, method, path, auth: "key", body, files: null, gives };
}

/** Returns the calls of operations, each after the calls whose ids it uses. */
export function sampleCalls(operations: readonly AnyOperation[]): SampleCall[] {
  const taken = takenBy(operations);
  const given = new Set([...taken.values()].flat());
  return inOrder(operations, taken).flatMap((operation) => {
    const group = tagOf(operation, serviceSections).name;
    const preparation = preparations[operation.id];
    const gives = [...given].filter(({ from }) => from === operation);
    const call = toCall(operation, group, taken.get(operation) ?? [], gives);
    return preparation ? [{ ...preparation, group }, call] : [call];
  });
}

/** Returns, for each operation, the links from which it gets the ids that it uses. */
function takenBy(operations: readonly AnyOperation[]): ReadonlyMap<AnyOperation, readonly Link[]> {
  const taken = new Map<AnyOperation, Link[]>();
  for (const link of linksBetween(operations)) {
    const own = taken.get(link.to) ?? [];
    const known = own.find(({ field }) => field === link.field);
    if (!known) taken.set(link.to, [...own, link]);
    else if (isBetter(link)) taken.set(link.to, [...own.filter((candidate) => candidate !== known), link]);
  }
  return taken;
}

/** Every account begins with a connected line. Only a new line can be connected. */
const isBetter = ({ from, to }: Link): boolean =>
  from.id === (to.id === "connectChannel" ? "createChannel" : "listChannels");

function toCall(
  operation: AnyOperation,
  group: string,
  taken: readonly Link[],
  gives: readonly Link[],
): SampleCall {
  const valuesIn = (place: Link["in"]) =>
    Object.fromEntries(
      taken.filter((link) => link.in === place).map((link) => [link.field, `{{${variableOf(link)}}}`]),
    );
  const body = exampleBody(operation);
  const query = new URLSearchParams(exampleQuery(operation) as Record<string, string>);
  const given = new Map(gives.map((link) => [variableOf(link), link.pointer]));
  return {
    name: operation.id,
    summary: operation.summary,
    group,
    method: methodOf(operation),
    path: fill(operation, valuesIn("path")) + (query.size > 0 ? `?${query}` : ""),
    auth: operation.auth === "session" ? "session" : "key",
    body: body && { ...body, ...values[operation.id], ...valuesIn("body") },
    files: operation.upload
      ? Object.entries(operation.upload).map(([field, { types = [] }]) => {
          const { file, type } = fixtureFor(field, types);
          return { field, path: `fixtures/files/${file}`, type };
        })
      : null,
    gives: [...given].map(([variable, pointer]) => ({ variable, pointer })),
  };
}

/** Puts each operation after the operations whose ids it uses, and otherwise keeps the order. */
function inOrder(
  operations: readonly AnyOperation[],
  taken: ReadonlyMap<AnyOperation, readonly Link[]>,
): AnyOperation[] {
  const ordered = new Set<AnyOperation>();
  const add = (operation: AnyOperation): void => {
    for (const { from } of ordered.has(operation) ? [] : (taken.get(operation) ?? [])) add(from);
    ordered.add(operation);
  };
  for (const operation of operations) add(operation);
  return [...ordered];
}

/** Fills in the parameters of a path: with variables, or with the first allowed value. */
function fill(operation: AnyOperation, values: Readonly<Record<string, string>>): string {
  const fields = (operation.params?.properties ?? {}) as Record<string, { enum?: readonly string[] }>;
  return pathOf(operation).replaceAll(
    /\{(\w+)\}/g,
    (_found, name: string) => values[name] ?? String(fields[name]?.enum?.[0] ?? name),
  );
}
