/** A rule of conduct: what a client must not do, told by its traffic alone. A rule that cannot be sure stays silent. */
import type { Traffic } from "./traffic.js";

/** An occasion on which a client broke a rule. */
export interface Occasion {
  /** Operation or event that it is about. */
  about: string;
  /** A sentence that says what happened. */
  happened: string;
  /** Ids of the requests or deliveries that prove it. */
  evidence: readonly string[];
}

export interface ConductRule {
  readonly id: string;
  readonly title: string;
  /** Why it matters, as a sentence. */
  readonly reason: string;
  /** The right behaviour, as a sentence. */
  readonly right: string;
  /** Whether it judges by real time, and is silent while the clock is frozen and after it was set. */
  readonly needsTime?: true;
  judge(traffic: Traffic): Occasion[];
}

/** Describes a rule that failed as a sentence, by its id. */
export const describeFailedRule = (rule: string, error: string): string =>
  `The rule of conduct ${rule} failed, and judged nothing: ${error}`;
