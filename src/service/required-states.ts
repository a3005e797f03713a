/** Building blocks of what operations say about the states that their exchanges require. */
import {
  type ObservedExchange,
  type RequiredState,
  replyField,
  type StateSelector,
} from "../contract/required-state.js";

/** States by their names, as pact/provider-states sets them up. */
export type RequiredStateName =
  | "a business profile"
  | "a completed real-time session"
  | "a connected channel"
  | "a disconnected channel"
  | "a failed deep audit"
  | "a failed identity question"
  | "a failed payment"
  | "a held payment"
  | "a locked phone verification"
  | "a media scan"
  | "a paid-out payment"
  | "a payout account"
  | "a pending address check"
  | "a pending channel code"
  | "a pending deep audit"
  | "a pending domain"
  | "a pending phone verification"
  | "a published domain proof"
  | "a ready audit"
  | "a received payment"
  | "a registered webhook"
  | "a settled balance"
  | "a verified address"
  | "a verified phone verification"
  | "a virtual account"
  | "an answered identity question"
  | "an expired identity question"
  | "an expired phone verification"
  | "an open identity question"
  | "an open message window";

type From = RequiredState["from"];

export const requires = (
  name: RequiredStateName,
  from: From = {},
  params: RequiredState["params"] = {},
): RequiredState[] => [{ name, params, from }];

export const alwaysRequires =
  (name: RequiredStateName, from?: From): StateSelector =>
  () =>
    requires(name, from);

/** Selects the state by a field of the reply; `fallback` if the reply does not have it, as in a refusal. */
export const byReplyField =
  (
    name: string,
    states: Readonly<Record<string, RequiredStateName>>,
    fallback: RequiredStateName,
    from: From,
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
  (name: RequiredStateName) =>
  ({ code, reply }: ObservedExchange): RequiredState[] => {
    if (code !== null) return [];
    const lists = [reply, ...Object.values((reply ?? {}) as object)].filter(Array.isArray);
    const isFilled = lists.some((list) => list.length > 0);
    return isFilled ? [{ name, params: {}, from: {}, fills: true }] : [];
  };
