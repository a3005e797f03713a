/** Interface: "Messaging identity check" in States and transitions; assumption identity.defaults. */
import { refuse } from "../../../contract/errors.js";
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import { toIso } from "../../../world/time/time.js";
import { type ExpectedAnswer, isExpected } from "../identity-answers.js";
import { channel } from "./channel.js";

export interface IdentityCheckFields {
  channel_id: string;
  /** Digits with country code. */
  to: string;
  expected: ExpectedAnswer;
  reference: string | null;
  /** Tries used, the right one included. */
  attempts: number;
  max_attempts: number;
  /** Ms on the account's clock. */
  expires_at: number;
  resolved_at: number | null;
  /** The question that this person was asked on this channel before; assumption identity.several. */
  previous: string | null;
}

export type IdentityCheckRecord = Stored<IdentityCheckFields>;

function readAnswer(input: unknown): string {
  const text = (input as { text?: unknown } | undefined)?.text;
  if (typeof text === "string" && text !== "") return text;
  return refuse("validation_error", { param: "text", message: "text must be what the person answers." });
}

function judge(record: IdentityCheckRecord, answer: string, { clock }: Account): string {
  if (clock.now() >= record.expires_at) return "expired";
  if (isExpected(answer, record.expected)) return "verified";
  return record.attempts + 1 >= record.max_attempts ? "failed" : "pending";
}

/** Interface: "A verification event is sent to the connected website when the check ends." */
function endIfOver(record: IdentityCheckRecord, account: Account): void {
  if (record.state === "pending") return;
  record.resolved_at = Math.min(account.clock.now(), record.expires_at);
  const website = account.records.get(channel, record.channel_id)?.website ?? null;
  if (website === null) return;
  const { id, kind, to, status, attempts, reference, resolved_at } = viewWhole(record);
  const data = { id, kind, status, to, attempts, reference, resolved_at };
  account.outbox.emit("verification", data, { alsoTo: { id: record.channel_id, url: website } });
}

/** What the interface's reads of a check begin with. */
export const viewIdentityCheck = ({ id, state, attempts, resolved_at }: IdentityCheckRecord) => ({
  id,
  kind: "identity" as const,
  status: state as "pending" | "verified" | "failed" | "expired",
  attempts,
  resolved_at: resolved_at === null ? null : toIso(resolved_at),
});

const viewWhole = (record: IdentityCheckRecord) => ({
  ...viewIdentityCheck(record),
  to: record.to,
  channel_id: record.channel_id,
  max_attempts: record.max_attempts,
  reference: record.reference,
  expires_at: toIso(record.expires_at),
});

export const identityCheck = machine<IdentityCheckFields, Account>()({
  name: "identity_check",
  prefix: "idq_",
  moves: {
    ask: { from: "new", to: "pending" },
    answer: {
      from: "pending",
      to: (record, input, account) => judge(record, readAnswer(input), account),
      effect(record, account) {
        if (record.state !== "expired") record.attempts++;
        endIfOver(record, account);
      },
    },
    expire: {
      from: "pending",
      to: "expired",
      at: ({ expires_at }) => expires_at,
      effect: endIfOver,
    },
  },
  view: viewWhole,
});
