import type { Account } from "../../world/account/account.js";
import type { Kobo } from "../../world/money/money.js";
import type { Assumptions } from "../assumptions.js";
import { type CompletedPayload, type VerificationStatus, verification } from "./machine.js";

interface Result<T, S, M> {
  type: T;
  status: S;
  match: M;
  confidence_score: number | null;
  /** Number that was looked up or read; null if there is none. */
  identifier: string | null;
  cost: Kobo;
  /** Content of verification.completed; null sends no event. */
  completed: CompletedPayload | null;
}

/**
 * Saves a verification with its identifier masked, and returns the fields that every reply begins with. Call inside a
 * commit.
 */
export function completeVerification<
  const T extends string,
  const S extends VerificationStatus,
  const M extends boolean | null,
>({ account, assumptions }: { account: Account; assumptions: Assumptions }, result: Result<T, S, M>) {
  const { type, status, match, confidence_score, identifier, cost, completed } = result;
  const is_test = !account.live;
  const masked = identifier && mask(identifier);
  const fields = { type, match, confidence_score, cost, completed, identifier: masked, is_test };
  const record = account.records.start(verification, "complete", fields, status);
  return { id: record.id, type, status, match, ...markedFields(verification.view(record), assumptions) };
}

/** Returns the fields that a reply has in addition under `all` of assumption verification.reply_fields. */
const markedFields = (
  { cost, currency, is_test, created_at }: ReturnType<typeof verification.view>,
  assumptions: Assumptions,
) => (assumptions["verification.reply_fields"] === "all" ? { cost, currency, is_test, created_at } : {});

/** `*********76`. */
const mask = (identifier: string): string =>
  "*".repeat(Math.max(0, identifier.length - 2)) + identifier.slice(-2);
