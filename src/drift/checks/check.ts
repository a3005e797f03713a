/** Types of checks, each of which compares an error, a limit, a price, a state or webhooks, and the facts that a reply shows. */

import { errorCodeOf } from "../../contract/error-body.js";
import { isObject } from "../../contract/json.js";
import { fieldName } from "../compare/deviations.js";
import type { Group } from "../groups.js";
import type { ReceivedReply } from "../service-client.js";
import type { DriftSide } from "../side.js";

export const checkKinds = ["error", "limit", "money", "state", "webhook"] as const;
export type CheckKind = (typeof checkKinds)[number];

/**
 * Facts that a side shows, by name, the most telling first. Null marks a fact that the state of the account hides, which
 * is not compared. Contains no personal data.
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
  /** Set if the check takes many calls, minutes or money. Such checks need --slow. */
  readonly slow?: boolean | undefined;
  /** Set if the check needs a webhook address that the service can reach. */
  readonly receives?: true;
  /** Facts of the sandbox. By default, the sandbox is asked in the same way as the service. */
  readonly expected?: Facts;
  /** Rejects with NotTestable or CouldNotCheck if the side cannot be asked. */
  observe(side: DriftSide): Promise<Facts>;
}

/** A row of a table of checks. Its kind and group follow from its id and its first operation. */
export type CheckRow = Omit<DriftCheck, "kind" | "group">;

/** The facts of an error that hold for every refusal, and their names in findings. */
export const commonFacts = { media_type: "content type", fields: "envelope", type: "type", param: "param" };

/** Returns the status of a reply and, for a refusal, its code. */
export const answerOf = ({ status, body }: Pick<ReceivedReply, "status" | "body">): string =>
  status < 400 ? `${status}` : `${status} ${errorCodeOf(body) ?? "without a code"}`;

/** Returns what a refusal shows. An accepted request shows its status alone. */
export function refusalFacts(reply: ReceivedReply): Facts {
  const { status, mediaType, body, headers } = reply;
  if (status < 400) return { media_type: null, fields: null, answer: answerOf(reply) };
  const { error = body } = (isObject(body) ? body : {}) as { error?: unknown };
  const own = isObject(error) ? error : {};
  const text = (value: unknown) => (typeof value === "string" ? fieldName(value) : "none");
  return {
    media_type: mediaType || "none",
    fields: fieldsOf(body),
    answer: answerOf(reply),
    type: text(own.type),
    param: typeof own.param === "string" ? own.param.slice(0, 60).replaceAll(/\d{5,}/g, "N") : "none",
    retry_after: status === 429 ? headers.has("retry-after") : null,
  };
}

function fieldsOf(body: unknown): string {
  if (!isObject(body)) return "no object";
  const fields = Object.entries(body).map(([name, value]) =>
    isObject(value)
      ? `${fieldName(name)} {${Object.keys(value).map(fieldName).sort().join(", ")}}`
      : fieldName(name),
  );
  return fields.sort().join(", ");
}
