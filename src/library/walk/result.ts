/** What a walk through a scenario takes and answers, as the library's users see it: without the schemas of scenarios. */

/** What one step came to. */
export interface StepResult {
  /** From 1. */
  step: number;
  /** Such as `call` or `advance`. */
  kind: string;
  /** What the step says, or what it does. */
  title: string;
  passed: boolean;
  /** Where what came is not as expected; empty when the step passed. */
  problems: string[];
  /** Real ms. */
  duration_ms: number;
}

/** What a walk through a scenario came to: it ends with the first step that does not pass. */
export interface ScenarioResult {
  /** As the scenario is titled. */
  name: string;
  passed: boolean;
  steps: StepResult[];
  /** Steps that were not reached. */
  skipped: number;
  /** Real ms. */
  duration_ms: number;
}

export interface WalkOptions {
  /** The bytes of a step's `fixture`; rejects where there is none. */
  readFixture?: (name: string) => Promise<Uint8Array>;
  /** Told after each step. */
  onStep?: (result: StepResult) => void;
}
