import type { ClientOptions } from "../client.js";
import type { ScenarioResult, ScenarioRunOptions } from "../scenario-run/result.js";
import { AccountClient } from "./account-client.js";
import type { Recording, RecordingOptions, ScenarioEntry, ScenarioState } from "./types.js";

/** An account of a running sandbox. */
export class SandboxAccount extends AccountClient {
  readonly #connection: ClientOptions;

  constructor(connection: ClientOptions) {
    super(connection);
    this.#connection = connection;
  }

  readonly scenario = {
    /** Lists the built-in scenarios. */
    list: (): Promise<ScenarioEntry[]> => this.items("/scenarios"),
    /** Loads a scenario by name or as an object. Unless `keep` is set, everything but the endpoints is removed first. */
    load: (scenario: string | object, { keep = false } = {}): Promise<ScenarioState> => {
      const query = keep ? "?keep=true" : "";
      return typeof scenario === "string"
        ? this.control("POST", `/scenarios/${encodeURIComponent(scenario)}/load${query}`)
        : this.control("POST", `/scenarios${query}`, scenario);
    },
    /** Ends the scenario that the account plays and removes its rules and timeline. */
    leave: (name: string): Promise<unknown> =>
      this.control("DELETE", `/scenarios/${encodeURIComponent(name)}`),
    /** Records what happened to the account, by default since it was empty, as a scenario that passes on a new account. */
    record: (options: RecordingOptions = {}): Promise<Recording> => {
      const query = new URLSearchParams(
        Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]),
      );
      return this.control("GET", `/recording?${query}`);
    },
    /** Loads a scenario, runs its steps and checks them. A step that fails does not reject; see the result. */
    run: async (scenario: string | object, options: ScenarioRunOptions = {}): Promise<ScenarioResult> => {
      const { runScenario } = await import("../scenario-run/run-scenario.js");
      const whole =
        typeof scenario === "string"
          ? await this.control<object>("GET", `/scenarios/${encodeURIComponent(scenario)}`)
          : scenario;
      return runScenario(this.#connection, whole as Parameters<typeof runScenario>[1], options);
    },
  };
}
