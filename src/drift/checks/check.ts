/** A check: what a side shows of an error, a limit, a price, its webhooks or a state, and the calls that show it. */
import type { Group } from "../groups.js";
import type { DriftSide } from "../play.js";
import type { WebhookReceiver } from "../receiver.js";

export const checkKinds = ["error", "limit", "money", "state", "webhook"] as const;
export type CheckKind = (typeof checkKinds)[number];

/**
 * Facts that a side shows, by name, the most telling first. A fact that the state of this side's account hides is null, and
 * is not compared. Contains no value of a person.
 */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** Returns a state or reason of a reply if it looks like one, so that no other value reaches the report. */
export const wordOf = (value: unknown): string =>
  typeof value === "string" && /^[a-z][a-z_]{0,39}$/.test(value) ? value : "another value";

export interface DriftCheck {
  /** Name such as `limit.phone.tries`. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly group: Group;
  /** The question, such as `wrong codes until a phone verification is locked`. */
  readonly about: string;
  /** Operations whose replies show it. */
  readonly operations: readonly string[];
  /** Maximum number of calls. */
  readonly calls: number;
  /** Maximum number of charged calls, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>> | undefined;
  /** Time that has to pass, in ms. */
  readonly passesMs?: number;
  /** Takes many calls, minutes or money, so that only --slow asks. */
  readonly slow?: boolean | undefined;
  /** Needs an address for webhooks. */
  readonly receives?: true;
  /** Value of the sandbox. Default: the sandbox is asked as the service is. */
  readonly expected?: Facts;
  /** Rejects with NotTestable or CouldNotCheck if the side cannot be asked. */
  observe(side: CheckedSide): Promise<Facts>;
}

/** One side of a check: the service, or the sandbox. */
export interface CheckedSide {
  readonly service: DriftSide["client"];
  readonly phone: string;
  /** Reads the code that was sent. Null without --otp-cmd. */
  readonly readCode: DriftSide["readCode"];
  readonly receiver: WebhookReceiver | null;
  /** Secret of the webhooks. Null without --webhook-secret. */
  readonly webhookSecret: string | null;
  pass(ms: number): Promise<void>;
  /** Time that has passed on this side, in ms. */
  now(): number;
  /** Returns a new reference that begins with `standin-drift-`. */
  reference(): string;
  /** Returns the result of the first call with this name, so that checks share records. */
  once<T>(name: string, ask: () => Promise<T>): Promise<T>;
}
