/** A check of a receiver: the test deliveries that it sends, and its judgement of the answers. */
import type { ReceiverExchange } from "./exchange.js";
import type { ReceiverConnection } from "./receiver-connection.js";
import type { TestDeliveries } from "./test-deliveries.js";

/** `advice`: acceptable, but can be improved. */
export interface ReceiverFinding {
  readonly verdict: "pass" | "fail" | "advice";
  /** One sentence that says what happened and what was expected. */
  readonly says: string;
}

export interface Judgement {
  /** Expected behaviour, to follow the word "expected". */
  readonly right: string;
  judge(exchanges: readonly ReceiverExchange[]): ReceiverFinding;
}

export interface ReceiverCheck extends Judgement {
  /** Group and name: `forged/truncated`. */
  readonly id: string;
  readonly title: string;
  /** Short description of what is sent. */
  readonly sends: string;
  send(receiver: ReceiverConnection, deliveries: TestDeliveries): Promise<readonly ReceiverExchange[]>;
  /** Runs even if the receiver no longer answers, because it judges the answers so far. */
  readonly always?: true;
}

export interface CheckGroup {
  readonly name: string;
  readonly heading: string;
  readonly checks: readonly ReceiverCheck[];
}
