/** Options and result of a scenario run, as the library's users see them. */

/** Result of one step. */
export interface StepResult {
  /** Number of the step, from 1. */
  step: number;
  /** Kind of the step, such as `call` or `advance`. */
  kind: string;
  /** Title of the step, or a description of what it does. */
  title: string;
  passed: boolean;
  /** Differences between what was expected and what was received. Empty if the step passed. */
  problems: string[];
  /** Wall-clock time in ms. */
  duration_ms: number;
}

/** Result of a scenario. The run ends with the first step that fails. */
export interface ScenarioResult {
  /** Title of the scenario. */
  name: string;
  /** Whether every step passed. False for a scenario without steps. */
  passed: boolean;
  steps: StepResult[];
  /** Number of steps that were not reached. */
  skipped: number;
  /** Wall-clock time in ms. */
  duration_ms: number;
}

export interface ScenarioRunOptions {
  /** Returns the bytes of a step's `fixture`, or rejects if there is none. Default: the bundled fixtures. */
  readFixture?: (name: string) => Promise<Uint8Array>;
  /** Called after each step. */
  onStep?: (result: StepResult) => void;
}
