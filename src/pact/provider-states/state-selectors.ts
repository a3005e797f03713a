/** A provider state that an exchange needs, and the rows in which it is said which one. */

export interface Need {
  state: string;
  params: Readonly<Record<string, unknown>>;
  /** Where the request takes a value of the state's: `body.id` from `id`. */
  from: Readonly<Record<string, string>>;
  /** Fields of the reply that the state decides: any other value would be another interaction. */
  decides?: readonly string[];
  /** The reply's lists have an entry then. */
  fills?: true;
}

/** What is known of an exchange when its states are chosen. */
export interface Seen {
  status: number;
  /** Of a refusal. */
  code: string | null;
  /** That was asked for, or came of the data, and is not the default one. */
  outcome: string | null;
  body: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  reply: unknown;
  /** The same request was answered with the same status before. */
  again: boolean;
}

/** Null: the catalogue has no state for it. */
export type Row = (seen: Seen) => Need[] | null;

export const need = (state: string, from: Need["from"] = {}, params: Need["params"] = {}): Need[] => [
  { state, params, from },
];

export const nothing: Row = () => [];

export const always =
  (state: string, from?: Need["from"]): Row =>
  () =>
    need(state, from);

export const fieldOf = ({ reply }: Pick<Seen, "reply">, name: string): unknown =>
  (reply as Readonly<Record<string, unknown>> | null)?.[name];

/** By what a field of the reply says; the usual state where there is none, as in a refusal. */
export const by =
  (name: string, states: Readonly<Record<string, string>>, usual: string, from: Need["from"]): Row =>
  (seen) => {
    const value = fieldOf(seen, name);
    if (value === undefined) return need(usual, from);
    const state = states[String(value)];
    return state === undefined ? null : deciding([name], need(state, from));
  };

export const deciding = (decides: readonly string[], needs: Need[]): Need[] =>
  needs.map((one) => ({ ...one, decides }));

/** The state, where any list of the reply has an entry. */
export const listOf =
  (state: string) =>
  ({ code, reply }: Seen): Need[] => {
    if (code !== null) return [];
    const lists = [reply, ...Object.values((reply ?? {}) as object)].filter(Array.isArray);
    const isFilled = lists.some((list) => list.length > 0);
    return isFilled ? [{ state, params: {}, from: {}, fills: true }] : [];
  };
