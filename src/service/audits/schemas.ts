/** Interface: "Website audit" and the replies of its operations; assumption audits. */
import * as Type from "typebox";
import { exactly, id, naira, nullable, Timestamp } from "../../contract/schemas.js";

const assumed = { "x-assumption": "audits" };

const Score = Type.Integer({ minimum: 0, maximum: 100 });
const Grade = Type.Enum(["A", "B", "C", "D", "F"], assumed);

const identity = {
  id: id("aud_"),
  url: Type.String({ format: "uri", description: "Normalised URL of the audited site" }),
};

const account = { cost: naira(), created_at: Timestamp };

const deep = {
  tier: Type.Literal("deep"),
  active_tests_run: Type.Boolean({
    description: "Whether active security tests ran, which needs a verified domain",
  }),
};

export const Finding = exactly({
  category: Type.Enum(["security", "performance", "seo", "accessibility", "best_practices"], assumed),
  severity: Type.Enum(["info", "warning", "critical"], assumed),
  title: Type.String(),
  detail: Type.String(),
  fix: Type.String(),
});

const LighthousePart = exactly({
  score: Type.Number({ minimum: 0, maximum: 100, ...assumed }),
  title: Type.String(),
});

const results = {
  findings: Type.Array(Finding),
  lighthouse: exactly({
    performance: LighthousePart,
    accessibility: LighthousePart,
    best_practices: LighthousePart,
    seo: LighthousePart,
  }),
  ai_signals: exactly({
    signals: Type.Array(Type.String(), assumed),
    count: Type.Integer({ minimum: 0 }),
  }),
};

const ready = { ...identity, status: Type.Literal("ready"), score: Score, grade: Grade };
const unscored = { score: Type.Null(), grade: Type.Null() };

export const StandardAudit = exactly({ ...ready, ...results, ...account });

/** A deep audit when it is accepted. */
export const PendingAudit = exactly({
  ...identity,
  status: Type.Literal("pending"),
  ...unscored,
  ...deep,
  ...account,
});

const FailedAudit = exactly({
  ...identity,
  status: Type.Literal("failed", assumed),
  ...unscored,
  ...deep,
  ...account,
});

const DeepAudit = exactly({ ...ready, ...deep, ...results, ...account });

export const Audit = Type.Union([StandardAudit, DeepAudit, PendingAudit, FailedAudit], {
  description: "A standard audit, or a deep one that is ready, pending or failed",
  ...assumed,
});

export const AuditStatus = Type.Enum(["ready", "pending", "failed"]);

export const AuditSummary = exactly({
  ...identity,
  status: AuditStatus,
  score: nullable(Score, { description: "null while pending" }),
  grade: nullable(Grade, { description: "null while pending" }),
  ...account,
});
