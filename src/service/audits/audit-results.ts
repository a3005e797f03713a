/** Results of website audits (interface: "Website audit"; assumption audits). */

import type { Static } from "typebox";
import * as Type from "typebox";
import fixture from "../../../fixtures/audit-findings.json" with { type: "json" };
import { exactly } from "../../contract/schemas.js";
import { Random } from "../../time/random.js";

export const assumed = { "x-assumption": "audits" };

export const Score = Type.Integer({ minimum: 0, maximum: 100 });
export const Grade = Type.Enum(["A", "B", "C", "D", "F"], assumed);

export const Finding = exactly({
  category: Type.Enum(["security", "performance", "seo", "accessibility", "best_practices"], assumed),
  severity: Type.Enum(["info", "warning", "critical"], assumed),
  title: Type.String(),
  detail: Type.String(),
  fix: Type.String(),
});

const LighthouseScore = exactly({
  score: Type.Number({ minimum: 0, maximum: 100, ...assumed }),
  title: Type.String(),
});

export const resultFields = {
  findings: Type.Array(Finding),
  lighthouse: exactly({
    performance: LighthouseScore,
    accessibility: LighthouseScore,
    best_practices: LighthouseScore,
    seo: LighthouseScore,
  }),
  ai_signals: exactly({
    signals: Type.Array(Type.String(), assumed),
    count: Type.Integer({ minimum: 0 }),
  }),
};

const AuditResults = exactly({ score: Score, grade: Grade, ...resultFields });
export type AuditResults = Static<typeof AuditResults>;

type AuditFinding = Static<typeof Finding>;
type Category = AuditFinding["category"];

interface CatalogueEntry extends AuditFinding {
  /** Condition of the finding. `active` tests run only on verified domains, and `code` findings need a repository. */
  when: "always" | "active" | "code";
}

const catalogue = fixture.findings as readonly CatalogueEntry[];

const lighthouseTitles = {
  performance: "Performance",
  accessibility: "Accessibility",
  best_practices: "Best practices",
  seo: "SEO",
} as const;
type LighthousePart = keyof typeof lighthouseTitles;

export interface AuditScope {
  /** Normalised URL of the site. */
  url: string;
  deep: boolean;
  active: boolean;
  code: boolean;
  /** Whether the site has no findings. */
  perfect: boolean;
}

/** Points that a finding deducts from its category. */
const deductions = { critical: 22, warning: 9, info: 2 } as const;
const severities = ["critical", "warning", "info"] as const;

/** Probability of a finding, at the best and at the worst site. */
const likelihood = { min: 0.08, max: 0.55 } as const;

/** Draws the results from a catalogue by the URL, so that a site always gets the same audit. */
export function drawAuditResults(scope: AuditScope): AuditResults {
  const random = Random.seeded("audit", scope.url);
  const probability = likelihood.min + random.fraction() * (likelihood.max - likelihood.min);
  // Every entry is drawn, so that a wider scope only adds findings.
  const drawn = catalogue.map((entry) => ({
    entry,
    isDrawn: random.fraction() < probability * weight(entry),
  }));
  const signals = fixture.ai_signals.filter(() => random.fraction() < probability / 2);
  if (scope.perfect) return summarise([], []);
  const found = drawn
    .filter(({ entry, isDrawn }) => isDrawn && isInScope(entry, scope))
    .map(({ entry }) => entry);
  return summarise(found, signals);
}

/** Returns the relative frequency of a finding. Critical findings are rarer. */
const weight = ({ severity }: CatalogueEntry): number =>
  ({ critical: 0.35, warning: 0.9, info: 1 })[severity];

const isInScope = ({ when }: CatalogueEntry, { deep, active, code }: AuditScope): boolean =>
  when === "always" || (deep && (when === "active" ? active : code));

function summarise(found: readonly CatalogueEntry[], signals: string[]): AuditResults {
  const findings = severities.flatMap((severity) =>
    found.filter((entry) => entry.severity === severity).map(({ when: _when, ...finding }) => finding),
  );
  const scoreOf = (category: Category) =>
    Math.max(
      0,
      findings
        .filter((finding) => finding.category === category)
        .reduce((left, { severity }) => left - deductions[severity], 100),
    );
  const parts = Object.entries(lighthouseTitles) as [LighthousePart, string][];
  const lighthouse = Object.fromEntries(
    parts.map(([part, title]) => [part, { score: scoreOf(part), title }]),
  ) as AuditResults["lighthouse"];
  const all = [scoreOf("security"), scoreOf("security"), ...parts.map(([part]) => scoreOf(part))];
  const score = Math.round(all.reduce((sum, part) => sum + part, 0) / all.length);
  return {
    score,
    grade: gradeOf(score),
    findings,
    lighthouse,
    ai_signals: { signals, count: signals.length },
  };
}

const gradeOf = (score: number): AuditResults["grade"] =>
  score >= 90 ? "A" : score >= 80 ? "B" : score >= 70 ? "C" : score >= 60 ? "D" : "F";
