/** Gives each interaction an account of its own, and finds out which calls of the verifier belong to it. */
import { SandboxAccount } from "../../client/account/account.js";
import { modeOfKey } from "./credentials.js";
import { type InteractionRun, newRun } from "./interaction-run.js";
import type { PactInteraction } from "./pact-file.js";

export interface InteractionRunsOptions {
  sandboxUrl: string;
  /** Returns a key that no other interaction uses. */
  freshKey(mode: "test" | "live"): string;
  /** The interactions in the verifier's order. Omitted if they are not known in advance. */
  interactions?: readonly Pick<PactInteraction, "mode" | "status">[];
}

export class InteractionRuns {
  readonly all: InteractionRun[] = [];

  constructor(readonly options: InteractionRunsOptions) {}

  /** Returns the run that a state belongs to. */
  current(): InteractionRun {
    const last = this.all.at(-1);
    return last && !last.isOver ? last : this.#start();
  }

  /**
   * Returns the run that a request or message belongs to, and ends it: the next call belongs to the next interaction.
   * Its account has another mode only if states were set up on it before the mode was known; see `moveStates`.
   */
  end(mode: "test" | "live"): InteractionRun {
    const run = this.#inMode(mode);
    run.isOver = true;
    return run;
  }

  /**
   * Gives the run an account of this mode with the same states. Returns replacements for the values that the verifier
   * has already received for the states, such as ids. Rejects with a ControlError if a state cannot be set up.
   */
  async moveStates(run: InteractionRun, mode: "test" | "live"): Promise<Map<string, string>> {
    run.account = this.#freshAccount(mode);
    const replacements = new Map<string, string>();
    for (const [index, { name: state, params }] of run.states.entries()) {
      const values = await run.account.call("changeProviderState", { body: { state, params } });
      for (const [name, value] of Object.entries(values)) {
        const known = run.stateValues[index]?.[name];
        if (typeof known === "string" && known !== value) replacements.set(known, String(value));
      }
    }
    return replacements;
  }

  /** Ends the last run. */
  tearDown(): void {
    const last = this.all.at(-1);
    if (last) last.isOver = true;
  }

  /** Returns whether the consumer expects the request of the run to be refused; null if that is not known. */
  expectsRefusal(run: InteractionRun): boolean | null {
    const interaction = this.options.interactions?.[this.all.indexOf(run)];
    return interaction ? interaction.status === 401 : null;
  }

  #inMode(mode: "test" | "live"): InteractionRun {
    const last = this.all.at(-1);
    if (!last || last.isOver) return this.#start(mode);
    if (modeOfKey(last.account.key) === mode || last.states.length > 0) return last;
    this.all.pop();
    return this.#start(mode);
  }

  #start(mode = this.options.interactions?.[this.all.length]?.mode ?? "test"): InteractionRun {
    const run = newRun(this.#freshAccount(mode));
    this.all.push(run);
    return run;
  }

  #freshAccount(mode: "test" | "live"): SandboxAccount {
    const { sandboxUrl: baseUrl, freshKey } = this.options;
    return new SandboxAccount({ baseUrl, key: freshKey(mode) });
  }
}
