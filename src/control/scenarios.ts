/** Scenarios: built in, in the tester's folder, or sent by a tester. */
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { Stream } from "../contract/reply-forms.js";
import { NullableTimestamp, nullable, Timestamp } from "../contract/schemas.js";
import { causedBy } from "../scenarios/actions.js";
import { ScenarioCatalogue } from "../scenarios/bundled-scenarios.js";
import { GivenProblem } from "../scenarios/given.js";
import { loadScenario, unloadScenario } from "../scenarios/load-scenario.js";
import { type LoadedScenario, loadedScenario, nextDue, progressOf } from "../scenarios/loaded-scenario.js";
import { formatProblem } from "../scenarios/problems.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { Account } from "../world/account/account.js";
import { collection } from "./collection.js";
import { type ControlContext, type ControlledSandbox, operation } from "./operation.js";
import { anyObject, Deleted, NullableString, OpaqueObject } from "./schemas.js";

const ByName = Type.Object({ name: Type.String() });

/** Loads the format of scenarios and the built-in ones on first use. */
const load = () => import("../scenarios/bundled-scenarios.js");

async function catalogueOf({ scenarioFolder, stage }: ControlledSandbox) {
  const { ScenarioCatalogue } = await load();
  return new ScenarioCatalogue(scenarioFolder, stage.operations);
}

/** Returns the scenario of this name, or refuses with the reason. */
export async function requireScenario(name: string, sandbox: ControlledSandbox): Promise<Scenario> {
  const { UnknownScenario } = await load();
  const { InvalidScenario } = await import("../scenarios/parse-scenario.js");
  const catalogue = await catalogueOf(sandbox);
  return catalogue.read(name).catch((error: unknown) => {
    const { message } = error as Error;
    if (error instanceof UnknownScenario) throw new Refusal("resource_not_found", { param: "name", message });
    if (error instanceof InvalidScenario) throw new Refusal("validation_error", { param: "name", message });
    throw error;
  });
}

const LoadedView = Type.Object({
  name: Type.String({ examples: ["payout-rejected"] }),
  title: Type.String(),
  description: NullableString,
  loaded_at: Timestamp,
  given: anyObject({ description: "Replies of the operations that created the records, by section" }),
  timeline: Type.Array(
    Type.Object({
      do: Type.String({ description: "Id of the operation" }),
      says: Type.String({
        description: "What it does, in words",
        examples: ["Simulate a transfer to a virtual account"],
      }),
      ran: Type.Integer({ description: "How many times this has occurred" }),
      next_at: NullableTimestamp,
      error: nullable(Type.String(), { description: "Error of the last occurrence, if it failed" }),
    }),
  ),
});

function view(account: Account, loaded: LoadedScenario): Type.Static<typeof LoadedView> {
  const { name, title, description, loaded_at, given, timeline, says = [] } = loaded;
  const entries = timeline.map(({ do: action }, index) => ({
    do: action,
    says: says[index] ?? action,
    ...progressOf(account, index),
    next_at: nextDue(account, index),
  }));
  return { name, title, description, loaded_at, given: given as Record<string, unknown>, timeline: entries };
}

export const { list: listScenarios } = collection({
  of: Type.Object({
    name: Type.String(),
    title: Type.String(),
    description: NullableString,
    steps: Type.Integer(),
    error: nullable(Type.String(), { description: "Why the file cannot be loaded" }),
  }),
  paging: "whole",
  async items({ sandbox }) {
    const catalogue = await catalogueOf(sandbox);
    const described: ReturnType<typeof describe>[] = [];
    for await (const { name, scenario } of catalogue.all()) described.push(describe(name, scenario));
    return described;
  },
  view: (described) => described,
  list: {
    id: "listScenarios",
    summary:
      "List the built-in scenarios, the scenarios in your folder, and the scenario loaded onto the account",
  },
  beside: {
    of: { loaded: nullable(LoadedView) },
    values({ account }) {
      const loaded = loadedScenario(account);
      return { loaded: loaded ? view(account, loaded) : null };
    },
  },
});

/** Describes a scenario. A file with errors is listed too, so that its author sees what is wrong. */
function describe(name: string, scenario: Scenario | Error) {
  if (scenario instanceof Error)
    return { name, title: name, description: null, steps: 0, error: scenario.message };
  const { name: title, description = null, steps = [] } = scenario;
  return { name, title, description, steps: steps.length, error: null };
}

const keep = Type.Object({
  keep: Type.Optional(
    Type.Boolean({
      description:
        "Whether to keep the state of the account. By default, everything but its endpoints is removed",
    }),
  ),
});

async function play(
  { account, activity, sandbox }: ControlContext,
  name: string,
  scenario: Scenario,
  isKept = false,
): Promise<Type.Static<typeof LoadedView>> {
  try {
    const stage = causedBy(sandbox.stage, activity);
    return view(account, await loadScenario(account, stage, name, scenario, { keep: isKept, activity }));
  } catch (error) {
    if (!(error instanceof GivenProblem)) throw error;
    throw new Refusal("validation_error", {
      param: error.at,
      message: `${error.message.replace(/\.$/, "")}.`,
    });
  }
}

export const getScenario = operation({
  id: "getScenario",
  summary: "Get a scenario as JSON",
  params: ByName,
  reply: { 200: Type.Unsafe<Scenario>(OpaqueObject) },
  refuses: ["resource_not_found", "validation_error"],
  handle: ({ params: { name }, sandbox }) => requireScenario(name, sandbox),
});

export const loadBuiltInScenario = operation({
  id: "loadScenario",
  summary: "Load a scenario onto the account: its state, rules and timeline",
  params: ByName,
  query: keep,
  reply: { 200: LoadedView },
  refuses: ["resource_not_found", "validation_error", "clock_busy"],

  handle: async ({ params: { name }, query, ...context }) =>
    play(context, name, await requireScenario(name, context.sandbox), query.keep),
});

export const runScenarioLive = operation({
  id: "runScenario",
  summary: "Run a built-in scenario on a new account, and report its steps live as lines of JSON",
  description: [
    "The first line is `{account}`: the id of the account that the scenario runs on. Other accounts are not touched.",
    "Then comes a line for each step: `{step, kind, title, passed, problems, duration_ms}`.",
    "The last line is `{name, passed, skipped, duration_ms}`, or `{error}` if the scenario cannot be loaded.",
  ].join("\n\n"),
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

const toName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "scenario";

export const playScenario = operation({
  id: "playScenario",
  summary: "Load a scenario of your own onto the account",
  description: "The body is a scenario file as JSON (contracts/scenario.schema.json).",
  query: keep,
  body: OpaqueObject,
  reply: { 200: LoadedView },
  refuses: ["validation_error", "clock_busy"],

  async handle({ body, query, extent, refuse, ...context }) {
    const { scenarioProblems } = await import("../scenarios/check-scenario.js");
    const details = (await scenarioProblems(body, context.sandbox.stage.operations, extent)).map(
      (problem) => ({
        param: problem.at.join("."),
        code: "validation_error" as const,
        message: `${formatProblem(problem)}.`,
      }),
    );
    const [first] = details;
    if (first) {
      const message = details.map((detail) => detail.message).join(" ");
      return refuse("validation_error", { param: first.param, message, details });
    }
    const scenario = body as unknown as Scenario;
    return play(context, toName(scenario.name), scenario, query.keep);
  },
});

export const leaveScenario = operation({
  id: "leaveScenario",
  summary: "Unload the account's scenario: its rules and timeline are removed, its records stay",
  params: ByName,
  reply: { 200: Deleted },
  refuses: ["resource_not_found"],

  handle({ account, params: { name }, refuse }) {
    const loaded = loadedScenario(account);
    if (loaded?.name !== name) {
      const actual = loaded ? `it has ${loaded.name}` : "it has none";
      return refuse("resource_not_found", {
        param: "name",
        message: `The scenario ${name} is not loaded onto the account; ${actual}.`,
      });
    }
    unloadScenario(account);
    return { id: name, deleted: true as const };
  },
});

/** Loads a scenario unless the account has been used: a restart must not empty it. */
export async function loadAtStart(sandbox: ControlledSandbox, account: Account, name: string): Promise<void> {
  if (!account.untouched) return;
  const { stage, scenarioFolder } = sandbox;
  const scenario = await new ScenarioCatalogue(scenarioFolder, stage.operations).read(name);
  await loadScenario(account, stage, name, scenario, { keep: false, activity: null });
}
