/** Scenarios on the account: those that come with the sandbox, and what a tester sends. */
import { closest } from "fastest-levenshtein";
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { Timestamp } from "../contract/schemas.js";
import type { Scenario } from "../scenarios/file.js";
import { GivenProblem } from "../scenarios/given.js";
import { loadScenario, unloadScenario } from "../scenarios/load.js";
import { type LoadedScenario, loadedScenario, progressOf } from "../scenarios/loaded.js";
import { formatProblem } from "../scenarios/problems.js";
import { nextDue } from "../scenarios/timeline.js";
import type { Account } from "../world/account.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { Anything, Deleted, items } from "./schemas.js";

/** Loaded with the first scenario that is asked for. */
const catalogue = () => import("../scenarios/catalogue.js");

const text = Type.Union([Type.String(), Type.Null()]);

const LoadedView = Type.Object({
  name: Type.String({ examples: ["payout-rejected"] }),
  title: Type.String(),
  description: text,
  loaded_at: Timestamp,
  given: Type.Object({}, { additionalProperties: true, description: "What was made, by section" }),
  timeline: Type.Array(
    Type.Object({
      do: Type.String(),
      ran: Type.Integer({ description: "So often it has happened" }),
      next_at: Type.Union([Timestamp, Type.Null()]),
      error: Type.Union([Type.String(), Type.Null()], {
        description: "Why it did not go as asked, the last time",
      }),
    }),
  ),
});

function view(account: Account, loaded: LoadedScenario): Type.Static<typeof LoadedView> {
  const { name, title, description, loaded_at, given, timeline } = loaded;
  const entries = timeline.map(({ do: action }, index) => {
    return { do: action, ...progressOf(account, index), next_at: nextDue(account, index) };
  });
  return { name, title, description, loaded_at, given: given as object, timeline: entries };
}

export const listScenarios = operation({
  id: "listScenarios",
  route: "GET /_sandbox/scenarios",
  summary: "The scenarios that come with the sandbox, and the one that the account plays",
  auth: "control",
  reply: {
    200: Type.Object({
      items: items(
        Type.Object({ name: Type.String(), title: Type.String(), description: text, steps: Type.Integer() }),
      ).properties.items,
      loaded: Type.Union([LoadedView, Type.Null()]),
    }),
  },

  async handle({ account, sandbox }) {
    const { readScenario, scenarioNames } = await catalogue();
    const names = await scenarioNames();
    const found = await Promise.all(names.map((name) => readScenario(name, sandbox.stage.operations)));
    const loaded = loadedScenario(account);
    return {
      items: (found as Scenario[]).map(({ name: title, description = null, steps = [] }, index) => {
        return { name: names[index] as string, title, description, steps: steps.length };
      }),
      loaded: loaded ? view(account, loaded) : null,
    };
  },
});

const keep = Type.Object({
  keep: Type.Optional(
    Type.Boolean({ description: "Leave what is on the account; else it is emptied but for its endpoints" }),
  ),
});

async function play(
  account: Account,
  sandbox: ControlledSandbox,
  name: string,
  scenario: Scenario,
  isKept = false,
): Promise<Type.Static<typeof LoadedView>> {
  try {
    return view(account, await loadScenario(account, sandbox.stage, name, scenario, { keep: isKept }));
  } catch (error) {
    if (!(error instanceof GivenProblem)) throw error;
    throw new Refusal("validation_error", {
      param: error.at,
      message: `${error.message.replace(/\.$/, "")}.`,
    });
  }
}

async function needed(name: string, { stage }: ControlledSandbox): Promise<Scenario> {
  const { readScenario, scenarioNames } = await catalogue();
  const scenario = await readScenario(name, stage.operations);
  if (scenario) return scenario;
  const asked = name.slice(0, 100);
  const nearest = closest(asked, await scenarioNames());
  const message = `There is no scenario ${JSON.stringify(asked)}; the nearest is ${nearest}.`;
  throw new Refusal("resource_not_found", { param: "name", message });
}

const ByName = Type.Object({ name: Type.String() });

export const getScenario = operation({
  id: "getScenario",
  route: "GET /_sandbox/scenarios/{name}",
  summary: "A scenario that comes with the sandbox, as JSON",
  auth: "control",
  params: ByName,
  reply: { 200: Anything },
  refuses: ["resource_not_found"],
  handle: ({ params: { name }, sandbox }) => needed(name, sandbox) as Promise<object>,
});

export const loadBuiltInScenario = operation({
  id: "loadScenario",
  route: "POST /_sandbox/scenarios/{name}/load",
  summary: "Put a scenario that comes with the sandbox on the account: its state, rules and timeline",
  auth: "control",
  params: ByName,
  query: keep,
  reply: { 200: LoadedView },
  refuses: ["resource_not_found", "validation_error", "clock_busy"],

  handle: async ({ account, params: { name }, query, sandbox }) =>
    play(account, sandbox, name, await needed(name, sandbox), query.keep),
});

const toName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "scenario";

export const playScenario = operation({
  id: "playScenario",
  route: "POST /_sandbox/scenarios",
  summary: "Put a scenario of your own on the account",
  description: "The body is a scenario file as JSON (contracts/scenario.schema.json).",
  auth: "control",
  query: keep,
  body: Anything,
  reply: { 200: LoadedView },
  refuses: ["validation_error", "clock_busy"],

  async handle({ account, body, query, sandbox, refuse }) {
    const { problemsOf } = await import("../scenarios/check.js");
    const details = (await problemsOf(body, sandbox.stage.operations)).map((problem) => ({
      param: problem.at.join("."),
      code: "validation_error" as const,
      message: `${formatProblem(problem)}.`,
    }));
    const [first] = details;
    if (first) {
      const message = details.map((detail) => detail.message).join(" ");
      return refuse("validation_error", { param: first.param, message, details });
    }
    const scenario = body as unknown as Scenario;
    return play(account, sandbox, toName(scenario.name), scenario, query.keep);
  },
});

export const leaveScenario = operation({
  id: "leaveScenario",
  route: "DELETE /_sandbox/scenarios/{name}",
  summary: "End the scenario that the account plays: its rules and timeline leave, its records stay",
  auth: "control",
  params: ByName,
  reply: { 200: Deleted },
  refuses: ["resource_not_found"],

  handle({ account, params: { name }, refuse }) {
    const loaded = loadedScenario(account);
    if (loaded?.name !== name) {
      const plays = loaded ? `it plays ${loaded.name}` : "it plays none";
      return refuse("resource_not_found", {
        param: "name",
        message: `The account does not play ${name}; ${plays}.`,
      });
    }
    unloadScenario(account);
    return { id: name, deleted: true as const };
  },
});
