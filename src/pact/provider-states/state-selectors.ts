/** Building blocks of the table that says which provider states an exchange requires. */
import type { Fields } from "../../scenarios/given-sections.js";
import type { ProviderStateName } from "./provider-states.js";

export interface RequiredState {
  name: ProviderStateName;
  params: Fields;
  /** Parts of the request that take a value of the state, such as `body.id` from `id`. */
  from: Readonly<Record<string, string>>;
  /** Fields of the reply that the state decides. With other values it is another interaction. */
  decides?: readonly string[];
  /** Set if the state puts an entry into the reply's lists. */
  fills?: true;
}

/** The parts of a request and its reply that states are selected by. */
export interface ObservedExchange {
  status: number;
  /** Error code of a refusal. */
  code: string | null;
  /** Outcome that was requested or followed from the data; null for the default one. */
  outcome: string | null;
  body: Fields;
  query: Fields;
  reply: unknown;
  /** Whether the same request got the same status before. */
  again: boolean;
}

/** Returns null if no provider state leads to the exchange. */
export type StateSelector = (exchange: ObservedExchange) => RequiredState[] | null;

export const requires = (
  name: ProviderStateName,
  from: RequiredState["from"] = {},
  params: Fields = {},
): RequiredState[] => [{ name, params, from }];

export const requiresNothing: StateSelector = () => [];

export const alwaysRequires =
  (name: ProviderStateName, from?: RequiredState["from"]): StateSelector =>
  () =>
    requires(name, from);

export const replyField = ({ reply }: Pick<ObservedExchange, "reply">, name: string): unknown =>
  (reply as Fields | null)?.[name];

/** Selects the state by a field of the reply; `fallback` if the reply does not have it, as in a refusal. */
export const byReplyField =
  (
    name: string,
    states: Readonly<Record<string, ProviderStateName>>,
    fallback: ProviderStateName,
    from: RequiredState["from"],
  ): StateSelector =>
  (exchange) => {
    const value = replyField(exchange, name);
    if (value === undefined) return requires(fallback, from);
    const state = states[String(value)];
    return state === undefined ? null : deciding([name], requires(state, from));
  };

/** Marks the fields of the reply that the states decide. */
export const deciding = (decides: readonly string[], states: RequiredState[]): RequiredState[] =>
  states.map((state) => ({ ...state, decides }));

/** Requires the state if a list of the reply has an entry. */
export const ifListFilled =
  (name: ProviderStateName) =>
  ({ code, reply }: ObservedExchange): RequiredState[] => {
    if (code !== null) return [];
    const lists = [reply, ...Object.values((reply ?? {}) as object)].filter(Array.isArray);
    const isFilled = lists.some((list) => list.length > 0);
    return isFilled ? [{ name, params: {}, from: {}, fills: true }] : [];
  };

/** Returns the parts of the request that take a value of any of the states. */
export const valuesTaken = (states: readonly RequiredState[]): RequiredState["from"] =>
  Object.assign({}, ...states.map(({ from }) => from));

/** Returns the JSON paths of the reply's fields that any of the states decides. */
export const pathsDecided = (states: readonly RequiredState[]): string[] =>
  states.flatMap(({ decides = [] }) => decides.map((name) => `$.${name}`));
