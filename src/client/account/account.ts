import type { Scenario } from "../../scenarios/scenario-file.js";
import type { ClientOptions } from "../client.js";
import type { ScenarioResult, ScenarioRunOptions } from "../scenario-run/run-scenario.js";
import { AccountClient, itemsOf } from "./account-client.js";
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
    list: (): Promise<ScenarioEntry[]> => itemsOf(this.call("listScenarios")),
    /** Loads a scenario by name or as an object. Unless `keep` is set, everything but the endpoints is removed first. */
    load: (scenario: string | object, { keep = false } = {}): Promise<ScenarioState> => {
      const query = { keep: keep || undefined };
      return typeof scenario === "string"
        ? this.call("loadScenario", { params: { name: scenario }, query })
        : this.call("playScenario", { body: scenario, query });
    },
    /** Ends the scenario that the account plays and removes its rules and timeline. */
    leave: (name: string): Promise<unknown> => this.call("leaveScenario", { params: { name } }),
    /** Records what happened to the account, by default since it was empty. The scenario passes on a new account. */
    record: (options: RecordingOptions = {}): Promise<Recording> => this.export("scenario", options),
    /** Loads a scenario, runs its steps and checks them. A step that fails does not reject; see the result. */
    run: async (scenario: string | object, options: ScenarioRunOptions = {}): Promise<ScenarioResult> => {
      const { runScenario } = await import("../scenario-run/run-scenario.js");
      const whole =
        typeof scenario === "string"
          ? await this.call("getScenario", { params: { name: scenario } })
          : scenario;
      return runScenario(this.#connection, whole as Scenario, options);
    },
  };
}
