/** What an audit finds: drawn from a catalogue by the site's URL, so that the same site gets the same audit. */
import type { Static } from "typebox";
import fixture from "../../../fixtures/audit-findings.json" with { type: "json" };
import { Random } from "../../world/time/random.js";
import type { Finding } from "./schemas.js";

type FindingOf = Static<typeof Finding>;
type Category = FindingOf["category"];

interface CatalogueEntry extends FindingOf {
  /** `active` tests run on verified domains only, `code` is looked at when a repository is given. */
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

export interface AuditResults {
  score: number;
  grade: "A" | "B" | "C" | "D" | "F";
  findings: FindingOf[];
  lighthouse: Record<LighthousePart, { score: number; title: string }>;
  ai_signals: { signals: string[]; count: number };
}

export interface AuditScope {
  /** Normalised. */
  url: string;
  deep: boolean;
  active: boolean;
  code: boolean;
  /** A site without a fault. */
  perfect: boolean;
}

/** Points that a finding costs its category. */
const costs = { critical: 22, warning: 9, info: 2 } as const;
const severities = ["critical", "warning", "info"] as const;

/** How likely each entry of the catalogue is found, at a good and at a bad site. */
const likelihood = { least: 0.08, most: 0.55 } as const;

export function auditResults(scope: AuditScope): AuditResults {
  const random = Random.seeded("audit", scope.url);
  const care = likelihood.least + random.fraction() * (likelihood.most - likelihood.least);
  // Every entry draws, so that a wider scope adds findings and changes none.
  const drawn = catalogue.map((entry) => ({ entry, hit: random.fraction() < care * weight(entry) }));
  const signals = fixture.ai_signals.filter(() => random.fraction() < care / 2);
  if (scope.perfect) return summed([], []);
  const found = drawn.filter(({ entry, hit }) => hit && isInScope(entry, scope)).map(({ entry }) => entry);
  return summed(found, signals);
}

/** Grave faults are rarer. */
const weight = ({ severity }: CatalogueEntry): number =>
  ({ critical: 0.35, warning: 0.9, info: 1 })[severity];

const isInScope = ({ when }: CatalogueEntry, { deep, active, code }: AuditScope): boolean =>
  when === "always" || (deep && (when === "active" ? active : code));

function summed(found: readonly CatalogueEntry[], signals: string[]): AuditResults {
  const findings = severities.flatMap((severity) =>
    found.filter((entry) => entry.severity === severity).map(({ when: _when, ...finding }) => finding),
  );
  const scoreOf = (category: Category) =>
    Math.max(
      0,
      findings
        .filter((finding) => finding.category === category)
        .reduce((left, { severity }) => left - costs[severity], 100),
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
