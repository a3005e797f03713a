/** A completed check, with a single move so that it is stored among the records. */
import { type Kobo, toNaira } from "../../world/money/money.js";
import { machine } from "../machine.js";

export interface VerificationFields {
  type: string;
  match: boolean | null;
  confidence_score: number | null;
  /** All but the last two characters masked; null for checks of photos without a number. */
  identifier: string | null;
  cost: Kobo;
  is_test: boolean;
  /** Content of verification.completed; null for lookups by number, which send no event. */
  completed: CompletedPayload | null;
}

/** Interface: "Delivery payload (verification.completed)". */
export interface CompletedPayload {
  document_type: string;
  checks: Record<string, boolean>;
  extracted: Record<string, string>;
}

/** Names of the types in sentences. */
const typeNames: Readonly<Record<string, string>> = {
  bvn: "BVN",
  nin: "NIN",
  frsc: "driver's licence",
  bank_account: "bank account",
  bvn_account_match: "BVN and bank account",
  document: "ID document",
  liveness: "selfie",
  face_match: "face",
};

export type VerificationStatus = "success" | "not_found";

export const verification = machine<VerificationFields>()({
  name: "verification",
  prefix: "ver_",
  states: ["success", "not_found"],
  moves: {
    complete: {
      from: "new",
      to: ["success", "not_found"],
      next: (_record, status: VerificationStatus) => status,
      emits: "verification.completed",
      says({ type, state, match }) {
        const result = state === "not_found" ? "not found" : match === false ? "no match" : "a match";
        return `A check of a ${typeNames[type] ?? type} was completed: ${match === null && state === "success" ? "found" : result}.`;
      },
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
  event: ({ id, type, state, completed }) =>
    completed && { jobId: id, data: { type, status: state, ...completed } },
});
