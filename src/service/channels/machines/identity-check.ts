/** Interface: "Messaging identity check" in States and transitions; assumption identity.defaults. */
import type { Static } from "typebox";
import { refuse } from "../../../contract/errors.js";
import { toIso } from "../../../time/time.js";
import type { Account } from "../../../world/account/account.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";
import { inputField } from "../../move-input.js";
import { type HashedAnswer, isExpected } from "../identity-answers.js";
import { IdentityCheck } from "../schemas.js";
import { channel } from "./channel.js";

export interface IdentityCheckFields {
  channel_id: string;
  /** Digits with country code. */
  to: string;
  expected: HashedAnswer;
  reference: string | null;
  /** Number of answers so far, including the correct one. */
  attempts: number;
  max_attempts: number;
  /** Ms on the account's clock. */
  expires_at: number;
  resolved_at: number | null;
  /** Id of the previous question to this person on this channel; assumption identity.several. */
  previous: string | null;
}

export type IdentityCheckRecord = Stored<IdentityCheckFields, Static<typeof IdentityCheck>["status"]>;

/** Reads the `text` of an answer. */
function readAnswer(input: unknown): string {
  const text = inputField(input, "text");
  if (typeof text === "string" && text !== "") return text;
  return refuse("validation_error", { param: "text", message: "text must be the person's answer." });
}

/** Returns the state that an answer leads to. */
function judgeAnswer(record: IdentityCheckRecord, text: string, { clock }: Account) {
  if (clock.now() >= record.expires_at) return "expired";
  if (isExpected(text, record.expected)) return "verified";
  return record.attempts + 1 >= record.max_attempts ? "failed" : "pending";
}

function countAnswer(record: IdentityCheckRecord, account: Account): void {
  if (record.state !== "expired") record.attempts++;
  if (record.state !== "pending") resolve(record, account);
}

function resolve(record: IdentityCheckRecord, account: Account): void {
  record.resolved_at = Math.min(account.clock.now(), record.expires_at);
}

function describeAnswer({ to, state, attempts, max_attempts }: IdentityCheckRecord): string {
  if (state === "verified") return `+${to} answered the identity question correctly.`;
  if (state === "expired") return `+${to} answered the identity question too late.`;
  const tries = `answer ${attempts} of ${max_attempts}`;
  return `+${to} answered the identity question wrongly (${tries})${state === "failed" ? ", and the check failed" : ""}.`;
}

/** Interface: "A verification event is sent to the connected website when the check ends." */
function verificationEvent(record: IdentityCheckRecord, account: Account) {
  const website = account.records.get(channel, record.channel_id)?.website ?? null;
  if (website === null || record.state === "pending") return null;
  const { id, kind, to, status, attempts, reference, resolved_at } = viewDetails(record);
  const data = { id, kind, status, to, attempts, reference, resolved_at };
  return { data, alsoTo: { id: record.channel_id, url: website } };
}

/** Returns the check as getIdentityCheck replies. */
export const viewIdentityCheck = ({ id, state, attempts, resolved_at }: IdentityCheckRecord) => ({
  id,
  kind: "identity" as const,
  status: state,
  attempts,
  resolved_at: resolved_at === null ? null : toIso(resolved_at),
});

const viewDetails = (record: IdentityCheckRecord) => ({
  ...viewIdentityCheck(record),
  to: record.to,
  channel_id: record.channel_id,
  max_attempts: record.max_attempts,
  reference: record.reference,
  expires_at: toIso(record.expires_at),
});

export const identityCheck = machine<IdentityCheckFields>()({
  name: "identity_check",
  prefix: "idq_",
  states: IdentityCheck.properties.status.enum,
  moves: {
    ask: { from: "new", to: "pending", says: ({ to }) => `An identity question was sent to +${to}.` },
    answer: {
      from: "pending",
      to: IdentityCheck.properties.status.enum,
      input: readAnswer,
      next: judgeAnswer,
      effect: countAnswer,
      emits: "verification",
      says: describeAnswer,
    },
    expire: {
      from: "pending",
      to: "expired",
      at: ({ expires_at }) => expires_at,
      effect: resolve,
      emits: "verification",
      says: ({ to }) => `The identity question to +${to} expired without the right answer.`,
    },
  },
  view: viewDetails,
  event: verificationEvent,
});
