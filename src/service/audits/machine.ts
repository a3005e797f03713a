/** Interface: "Website audit" in States and transitions; assumption audits. */
import type { Static } from "typebox";
import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import type { Stored } from "../../world/records/machine.js";
import { machine } from "../machine.js";
import type { AuditResults } from "./audit-results.js";
import { type Audit, AuditStatus, type AuditSummary } from "./schemas.js";

/** Duration of a deep audit. */
export const deepAuditMs = 4 * minute;

export interface AuditFields {
  /** Normalised. */
  url: string;
  tier: "standard" | "deep";
  active_tests_run: boolean;
  /** Null until the audit is ready. */
  results: AuditResults | null;
  /** Final state of a deep audit, and the results that it will have if it is ready. */
  outcome: "ready" | "failed";
  outlook: AuditResults | null;
  /** Ms on the account's clock; null for a standard audit. */
  ends_at: number | null;
  cost: Kobo;
  /** Whether the price is refunded if the audit fails; assumption audits.failed. */
  refunded_if_failed?: boolean;
}

export type AuditRecord = Stored<AuditFields, Static<typeof AuditStatus>>;

const endsAs =
  (outcome: AuditFields["outcome"]) =>
  (record: AuditFields): number | null =>
    record.outcome === outcome ? record.ends_at : null;

function complete(record: AuditRecord, account: Account): void {
  record.results = record.outlook;
  sendCompletionEmail(record, account);
}

function fail(record: AuditRecord, account: Account): void {
  if (record.refunded_if_failed) {
    account.wallet.refund("audit_deep", record.cost);
    record.cost = 0;
  }
  sendCompletionEmail(record, account);
}

/** Formats an address without its scheme, so that mail clients turn only the audit's own URL into a link. */
const formatSite = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

/** Formats the host of an address, which has no secrets. */
const hostOf = (url: string): string => new URL(url).host;

const describeReady = ({ tier, url, results }: AuditRecord): string =>
  `The ${tier} audit of ${hostOf(url)} is ready: ${results?.score} of 100, grade ${results?.grade}.`;

/** Interface: "a completion email is also sent for deep audits". */
function sendCompletionEmail({ id, url, results, refunded_if_failed }: AuditRecord, account: Account): void {
  const link = `${account.baseUrl}/v1/audits/${id}`;
  const site = formatSite(url);
  const text = results
    ? `The deep audit of ${site} is ready: ${results.score} of 100, grade ${results.grade}. ${link}`
    : `The deep audit of ${site} could not be completed${refunded_if_failed ? "; its price has been refunded" : ""}. ${link}`;
  const to = `${account.id}@standin.test`;
  account.inbox.send({ channel: "email", to, from: "audits@standin.test", text, codes: [] });
}

const viewScore = ({ results }: AuditRecord) => ({
  score: results?.score ?? null,
  grade: results?.grade ?? null,
});

function viewAudit(record: AuditRecord): Static<typeof Audit> {
  const { id, url, state, tier, active_tests_run, results, cost, created_at } = record;
  const { score: _score, grade: _grade, ...rest } = results ?? {};
  return {
    id,
    url,
    status: state,
    ...viewScore(record),
    ...(tier === "deep" ? { tier, active_tests_run } : {}),
    ...rest,
    cost: toNaira(cost),
    created_at,
  } as Static<typeof Audit>;
}

export const audit = machine<AuditFields>()({
  name: "audit",
  prefix: "aud_",
  states: AuditStatus.enum,
  moves: {
    finish: { from: "new", to: "ready", says: describeReady },
    accept: {
      from: "new",
      to: "pending",
      says: ({ url }) => `The deep audit of ${hostOf(url)} was started.`,
    },
    complete: { from: "pending", to: "ready", at: endsAs("ready"), effect: complete, says: describeReady },
    fail: {
      from: "pending",
      to: "failed",
      at: endsAs("failed"),
      effect: fail,
      says: ({ url, refunded_if_failed }) =>
        `The deep audit of ${hostOf(url)} failed${refunded_if_failed ? ", and its price was refunded" : ""}.`,
    },
  },
  view: viewAudit,
});

export const viewAuditSummary = (record: AuditRecord): Static<typeof AuditSummary> => ({
  id: record.id,
  url: record.url,
  status: record.state,
  ...viewScore(record),
  cost: toNaira(record.cost),
  created_at: record.created_at,
});
