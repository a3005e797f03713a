/** Runs a built-in scenario and reports each of its steps as soon as it has ended. */
import { controlRoutes } from "../contract/control-routes.js";
import { Stream } from "../contract/reply-forms.js";
import { ByName, requireScenario } from "./find-scenario.js";
import { type ControlContext, operation } from "./operation.js";

export const runScenarioLive = operation({
  id: "runScenario",
  route: controlRoutes.runScenario,
  summary: "Run a built-in scenario on a new account, and report its steps live as lines of JSON",
  description: [
    "The first line is `{account}`: the id of the account that the scenario runs on. Other accounts are not touched.",
    "Then comes a line for each step: `{step, kind, title, passed, problems, duration_ms}`.",
    "The last line is `{name, passed, skipped, duration_ms}`, or `{error}` if the scenario cannot be loaded.",
  ].join("\n\n"),
  auth: "control",
  params: ByName,
  reply: { 200: { contentType: "application/x-ndjson" } },
  refuses: ["resource_not_found", "validation_error"],

  async handle({ params: { name }, sandbox, baseUrl }: ControlContext & { params: { name: string } }) {
    const scenario = await requireScenario(name, sandbox);
    return new Stream("application/x-ndjson", (response) => {
      const write = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
      const run = sandbox.runScenario(scenario, baseUrl, write);
      run.catch((error: unknown) => write({ error: (error as Error).message })).finally(() => response.end());
    });
  },
});
