/** Interface: "Website audit" in States and transitions; assumption audits. */
import type { Static } from "typebox";
import type { Account } from "../../world/account.js";
import { machine, type Stored } from "../../world/machine.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { minute } from "../../world/time/time.js";
import type { AuditResults } from "./audit-results.js";
import type { Audit, AuditSummary } from "./schemas.js";

/** So long a deep audit runs. */
export const deepTime = 4 * minute;

export interface AuditFields {
  /** Normalised. */
  url: string;
  tier: "standard" | "deep";
  active_tests_run: boolean;
  /** Null until it is ready. */
  results: AuditResults | null;
  /** What a deep audit will come to, and what it then shows. */
  outcome: "ready" | "failed";
  outlook: AuditResults | null;
  /** Ms on the account's clock; null for a standard audit. */
  ends_at: number | null;
  cost: Kobo;
}

export type AuditRecord = Stored<AuditFields>;

const endsAs =
  (outcome: AuditFields["outcome"]) =>
  (record: AuditFields): number | null =>
    record.outcome === outcome ? record.ends_at : null;

/** "A completion email is also sent for deep audits." */
function tell({ url, results }: AuditRecord, { inbox, id, baseUrl }: Account, auditId: string): void {
  const link = `${baseUrl}/v1/audits/${auditId}`;
  // Without its scheme, so that the audit's own address is the one link.
  const site = url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  const text = results
    ? `The deep audit of ${site} is ready: ${results.score} of 100, grade ${results.grade}. ${link}`
    : `The deep audit of ${site} could not be completed; its price is back in your balance. ${link}`;
  inbox.send({ channel: "email", to: `${id}@standin.test`, from: "audits@standin.test", text, codes: [] });
}

export const audit = machine<AuditFields, Account>()({
  name: "audit",
  prefix: "aud_",
  moves: {
    finish: { from: "new", to: "ready" },
    accept: { from: "new", to: "pending" },
    complete: {
      from: "pending",
      to: "ready",
      at: endsAs("ready"),
      effect(record, account) {
        record.results = record.outlook;
        tell(record, account, record.id);
      },
    },
    fail: {
      from: "pending",
      to: "failed",
      at: endsAs("failed"),
      effect(record, account) {
        account.wallet.refund("audit_deep", record.cost);
        tell(record, account, record.id);
      },
    },
  },
  view: (record) => viewAudit(record),
});

const scored = ({ results }: AuditRecord) => ({
  score: results?.score ?? null,
  grade: results?.grade ?? null,
});

export function viewAudit(record: AuditRecord): Static<typeof Audit> {
  const { id, url, state, tier, active_tests_run, results, cost, created_at } = record;
  const { score: _score, grade: _grade, ...rest } = results ?? {};
  return {
    id,
    url,
    status: state,
    ...scored(record),
    ...(tier === "deep" ? { tier, active_tests_run } : {}),
    ...rest,
    cost: toNaira(cost),
    created_at,
  } as Static<typeof Audit>;
}

export const viewSummary = (record: AuditRecord): Static<typeof AuditSummary> => ({
  id: record.id,
  url: record.url,
  status: record.state as "ready" | "pending" | "failed",
  ...scored(record),
  cost: toNaira(record.cost),
  created_at: record.created_at,
});
