/** A completed check. It has one move, so that it stands among the records; identifiers are kept masked. */
import type { Account } from "../../world/account.js";
import { machine } from "../../world/machine.js";
import { type Kobo, toNaira } from "../../world/money/money.js";

export interface VerificationFields {
  type: string;
  match: boolean | null;
  confidence_score: number | null;
  /** All but the last two characters hidden; null where a file was looked at. */
  identifier: string | null;
  cost: Kobo;
  is_test: boolean;
  /** What verification.completed carries; null for a lookup by number, which sends none. */
  completed: Completed | null;
}

/** Interface: "Delivery payload (verification.completed)". */
export interface Completed {
  document_type?: string;
  checks: Record<string, boolean>;
  extracted: Record<string, string>;
}

/** `*********76`. */
export const masked = (identifier: string): string =>
  "*".repeat(Math.max(0, identifier.length - 2)) + identifier.slice(-2);

export const verification = machine<VerificationFields, Account>()({
  name: "verification",
  prefix: "ver_",
  moves: {
    complete: {
      from: "new",
      to: (_record, status) => String(status),
      emits: ({ completed }) => (completed ? "verification.completed" : null),
    },
  },
  view: ({ id, type, state, match, confidence_score, identifier, cost, is_test, created_at }) => ({
    id,
    type,
    status: state,
    match,
    confidence_score,
    identifier,
    cost: toNaira(cost),
    currency: "NGN",
    is_test,
    created_at,
  }),
  event: ({ id, type, state, completed }) => ({
    jobId: id,
    data: { type, status: state, checks: {}, extracted: {}, ...completed },
  }),
});
