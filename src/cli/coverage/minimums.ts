/** Minimum coverage: the shares of operations, outcomes, transitions and events that must be exercised. */
import { InvalidArgumentError } from "commander";
import {
  type CoverageKind,
  type CoverageView,
  coverageKinds,
  type Share,
} from "../../control/coverage-report.js";
import { formatPercent } from "../output/table.js";

/** Percentages by kind. */
export type Minimums = Partial<Record<CoverageKind, number>>;

const example = "operations=40,outcomes=20";

const isKind = (text: string): text is CoverageKind => (coverageKinds as readonly string[]).includes(text);

/** Parses `operations=40,outcomes=20`. Adds to the minimums of earlier flags. */
export function parseMinimums(text: string, previous: Minimums = {}): Minimums {
  const minimums = { ...previous };
  for (const pair of text.split(",")) {
    const [, kind = "", percent] = /^\s*(\w+)=(\d{1,3}(?:\.\d+)?)%?\s*$/.exec(pair) ?? [];
    if (!isKind(kind) || Number(percent) > 100) {
      const kinds = coverageKinds.join(", ");
      throw new InvalidArgumentError(`It must be percentages of ${kinds}, such as ${example}.`);
    }
    minimums[kind] = Number(percent);
  }
  return minimums;
}

const percentOf = ({ exercised, total }: Share): number => (total === 0 ? 0 : (100 * exercised) / total);

export const formatShare = (share: Share): string => formatPercent(percentOf(share));

export interface JudgedShare {
  kind: CoverageKind;
  share: Share;
  /** Percentage. Null if none was asked for. */
  minimum: number | null;
  isMissed: boolean;
}

export const judge = ({ summary }: CoverageView, minimums: Minimums): JudgedShare[] =>
  coverageKinds.map((kind) => {
    const { [kind]: minimum = null } = minimums;
    const { [kind]: share } = summary;
    return { kind, share, minimum, isMissed: minimum !== null && percentOf(share) < minimum };
  });

/** Formats what was missed: "outcomes 1% (3 of 294), at least 20%". */
export const formatMissed = ({ kind, share, minimum }: JudgedShare): string =>
  `${kind} ${formatShare(share)} (${share.exercised} of ${share.total}), at least ${minimum}%`;
