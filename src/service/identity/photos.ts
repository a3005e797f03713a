/** Checks of a photo: kept as a record, told by verification.completed; assumption verification.webhooks. */
import type { Account } from "../../world/account.js";
import { Random } from "../../world/time/random.js";
import { type Completed, masked, verification } from "./machine.js";

export interface PhotoCheck extends Completed {
  type: "document" | "liveness" | "face_match";
  match: boolean | null;
  confidence_score: number | null;
  /** Number of the document; kept masked. */
  identifier?: string;
  cost: number;
}

/** What the replies of all three begin with. */
export function keepPhotoCheck<C extends PhotoCheck>(account: Account, check: C) {
  const { type, match, confidence_score, identifier, cost, ...completed }: PhotoCheck = check;
  const record = account.records.start(
    verification,
    "complete",
    {
      type,
      match,
      confidence_score,
      identifier: identifier === undefined ? null : masked(identifier),
      cost,
      is_test: !account.live,
      completed,
    },
    "success",
  );
  return {
    id: record.id,
    type: check.type as C["type"],
    status: "success" as const,
    match: match as C["match"],
  };
}

/** The same files get the same score, on every account. */
export const scoreBetween = (least: number, most: number, ...hashes: readonly string[]): number =>
  Random.seeded("photo", ...hashes).integer(least, most);
