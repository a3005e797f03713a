/** A check of a receiver: the test deliveries that it sends, and its judgement of the answers. */

import { isSuccessStatus } from "../contract/reply-forms.js";
import { type EventKind, events } from "../service/webhooks/events.js";
import type { Random } from "../time/random.js";
import { realNow, toIso } from "../time/time.js";
import { eventPayload, sign } from "../world/webhooks/delivery.js";
import type { ReceiverConnection, ReceiverExchange, TestDelivery } from "./receiver-connection.js";

/** `advice`: acceptable, but can be improved. */
interface ReceiverFinding {
  readonly verdict: "pass" | "fail" | "advice";
  /** One sentence that says what happened and what was expected. */
  readonly says: string;
}

interface Judgement {
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

export const isAccepted = ({ status }: ReceiverExchange): boolean => isSuccessStatus(status);
export const isRefused = ({ status }: ReceiverExchange): boolean =>
  status !== null && status >= 400 && status < 500;
export const isCrash = ({ status }: ReceiverExchange): boolean => status === null || status >= 500;
const isRedirect = ({ status }: ReceiverExchange): boolean =>
  status !== null && status >= 300 && status < 400;

function describeAnswer({ status, error, timedOut }: ReceiverExchange): string {
  if (timedOut) return `gave ${error}`;
  if (status !== null) return `answered ${status}`;
  return error?.includes("ECONNREFUSED") ? "was gone (ECONNREFUSED)" : `failed to answer (${error})`;
}

const describeAnswers = (exchanges: readonly ReceiverExchange[]): string =>
  `The receiver ${exchanges.map(describeAnswer).join(", then ").replaceAll("then answered", "then")}`;

export const pass = (exchanges: readonly ReceiverExchange[]): ReceiverFinding => ({
  verdict: "pass",
  says: `${describeAnswers(exchanges)}.`,
});

/** Returns a finding that the answers were not as expected. */
export const unexpected = (
  verdict: "fail" | "advice",
  exchanges: readonly ReceiverExchange[],
  right: string,
  remark = "",
): ReceiverFinding => ({ verdict, says: `${describeAnswers(exchanges)}${remark}; expected ${right}.` });

/** Expects every delivery to be accepted. */
export const accepted = (right: string): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isAccepted(exchange));
    if (!wrong) return pass(exchanges);
    const remark = isRedirect(wrong) ? ", and redirects are not followed" : "";
    return unexpected("fail", exchanges, right, remark);
  },
});

/** Expects every delivery to be refused, without a crash. `ifAccepted` judges a receiver that accepts one. */
export const refused = (
  right: string,
  ifAccepted: { verdict: "fail" | "advice"; remark: string } = {
    verdict: "fail",
    remark: ": it accepted a forged delivery",
  },
): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isRefused(exchange));
    if (!wrong) return pass(exchanges);
    if (isAccepted(wrong)) return unexpected(ifAccepted.verdict, exchanges, right, ifAccepted.remark);
    return unexpected("fail", exchanges, right, isCrash(wrong) ? ": a forged delivery can crash it" : "");
  },
});

/** Builds test deliveries: the documented payloads with fresh ids, signed as the service signs them. */
export class TestDeliveries {
  /** A secret that the receiver does not know. */
  readonly otherSecret: string;

  constructor(
    readonly random: Random,
    readonly secret: string,
  ) {
    this.otherSecret = random.id("whsec_");
  }

  /** Returns a delivery as the service sends it, about a new record unless `data` names one. */
  of(kind: EventKind, data: object = {}): TestDelivery {
    return this.genuine(JSON.stringify(this.payload(kind, data)));
  }

  payload(kind: EventKind, data: object = {}): object {
    const { example } = events[kind];
    const [prefix] = /^[a-z]+_/.exec(String(example.id)) ?? [];
    const facts = {
      id: this.random.id("evt_"),
      event: kind,
      created_at: toIso(realNow()),
      is_test: true,
      data: { ...example, ...(prefix === undefined ? {} : { id: this.random.id(prefix) }), ...data },
    };
    return eventPayload(facts, {
      jobId: kind === "verification.completed" ? this.random.id("ver_") : undefined,
    });
  }

  /** Returns this body signed as the service would sign it. */
  genuine(body: string): TestDelivery {
    return { body, signature: sign(body, this.secret), genuine: true };
  }

  /** Returns this body with a valid signature, though the service would not send it. */
  unexpected(body: string): TestDelivery {
    return { ...this.genuine(body), genuine: false };
  }

  /** Returns a delivery with the signature that the function returns, or without a signature header for null. */
  forged(signature: (delivery: { body: string; right: string }) => string | null): TestDelivery {
    const { body } = this.of("payout.paid");
    return { body, signature: signature({ body, right: sign(body, this.secret) }), genuine: false };
  }
}
