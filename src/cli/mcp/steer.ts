/** The tools that change what happens: `set_rules`, `advance`, `scenario` and `check_receiver`. */
import * as Type from "typebox";
import type { SandboxAccount } from "../../client/account/account.js";
import type { RuleInput } from "../../client/account/rule-types.js";
import type { ScenarioResult } from "../../client/scenario-run/result.js";
import { bundledScenarioNames } from "../../scenarios/bundled-scenarios.js";
import { parseScenario } from "../../scenarios/parse-scenario.js";
import { toAdvance } from "../../time/time.js";
import { operations } from "../call/operations.js";
import { isFile, readScenarioSource, type ScenarioSource } from "../scenario/sources.js";
import { formatReceiverReport } from "../webhooks/receiver-report.js";
import { ToolError, tool, toText } from "./tool.js";

export const setRulesTool = tool({
  name: "set_rules",
  description:
    "Replace the account's rules; [] removes all. A rule decides the outcome of requests, or a fault: {on: operation id, when?: {body: {…}}, outcome?, fault?, times?, probability?}.",
  input: Type.Object({ rules: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
  afterError: "correct the rule; find_operation with the operation's id lists its outcomes and errors.",
  run: async ({ account }, { rules }) => {
    const earlier = await account.rules.list();
    // The new ones first: if one of them is refused, the earlier rules still apply.
    const added = [];
    for (const rule of rules) added.push(await account.rules.add(rule as unknown as RuleInput));
    for (const { id } of earlier) await account.rules.remove(id);
    return added.length === 0 ? "There are no rules now." : added.map(toText).join("\n");
  },
});

export const advanceTool = tool({
  name: "advance",
  description:
    "Move the account's clock: settlements, expiries and webhook retries that fall due run in order. Returns them.",
  input: Type.Object({
    by: Type.String({ description: 'Such as 2m or 24h, "next" for the next job, or an ISO 8601 time' }),
  }),
  afterError: "status shows the clock and the next job.",
  run: async ({ account }, { by }) => {
    const { now, ran } = await account.call("advanceClock", { body: toAdvance(by) });
    return [`It is now ${now}.`, ...ran.map(toText)].join("\n");
  },
});

const runSource = (
  account: SandboxAccount,
  { scenario, readFixture }: ScenarioSource,
): Promise<ScenarioResult> => account.scenario.run(scenario, { readFixture });

export const scenarioTool = tool({
  name: "scenario",
  description:
    "Run a scenario on this account, which is emptied first, and check its steps. Without arguments: list the built-in ones.",
  input: Type.Object({
    name: Type.Optional(Type.String({ description: "Built-in name or path of a .yaml file" })),
    yaml: Type.Optional(Type.String({ description: "Text of a scenario" })),
  }),
  afterError: "scenario without arguments lists the built-in ones, and find_operation finds operations.",
  run: async ({ account, readsFiles }, { name, yaml }) => {
    if (name === undefined && yaml === undefined) return (await bundledScenarioNames()).join(", ");
    if (!readsFiles && name !== undefined && isFile(name))
      throw new ToolError(
        "Over HTTP, a scenario is named or given as yaml: files of this machine are not read.",
      );
    const result =
      yaml === undefined
        ? await runSource(account, await readScenarioSource(name as string))
        : await account.scenario.run(await parseScenario(yaml, "yaml", operations));
    if (result.steps.length === 0)
      return `${result.name}: loaded, and nothing was tried, since it has no steps.`;
    return [
      `${result.name}: ${result.passed ? "passed" : "failed"}`,
      ...result.steps.map(
        ({ step, title, passed, problems }) =>
          `${passed ? "✓" : "✗"} ${step} ${title}${problems.map((one) => `\n    ${one}`).join("")}`,
      ),
      ...(result.passed ? [] : ["Next: activity shows what the account did."]),
    ].join("\n");
  },
});

export const checkReceiverTool = tool({
  name: "check_receiver",
  description:
    "Send a webhook receiver genuine, repeated, malformed and forged deliveries, and report its answers.",
  input: Type.Object({
    url: Type.String(),
    secret: Type.Optional(Type.String({ description: "Default: this account's WEBHOOK_SECRET" })),
  }),
  afterError:
    "start the receiver, and give the URL at which it listens, such as http://127.0.0.1:3000/webhooks.",
  run: async ({ account }, { url, secret }) => {
    const check = await import("../../receiver-check/check-receiver.js");
    const own = (await account.webhooks.list()).find((endpoint) => endpoint.url === url)?.secret;
    const used = secret ?? own ?? (await account.call("getAccount")).webhook_secret;
    return formatReceiverReport(await check.runReceiverCheck({ url, secret: used }));
  },
});
