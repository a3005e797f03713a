/** The states that an account must be in for an exchange to happen again as it happened. */

type Fields = Record<string, unknown>;

export interface RequiredState {
  /** Name of the state, such as `a verified address`. */
  name: string;
  params: Fields;
  /** Parts of the request that take a value of the state, such as `body.id` from `id`. */
  from: Readonly<Record<string, string>>;
  /** Fields of the reply that the state decides. With other values it is another exchange. */
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

/** Returns the states that an exchange requires; null if none leads to it. */
export type StateSelector = (exchange: ObservedExchange) => RequiredState[] | null;

export const replyField = ({ reply }: Pick<ObservedExchange, "reply">, name: string): unknown =>
  (reply as Fields | null)?.[name];
