/** The tools of the MCP server: for each a name, a description, its input, and the text of its answer. */

import { basename } from "node:path";
import type { Static, TObject } from "typebox";
import * as Type from "typebox";
import type { SandboxAccount } from "../../client/account/account.js";
import { formatActivity, formatExplanation } from "../../client/account/format.js";
import type { ActivityEntry, EventKind, RuleInput, WebhookEntry } from "../../client/account/types.js";
import type { ScenarioResult } from "../../client/scenario-run/run-scenario.js";
import { formatNearest } from "../../contract/nearest.js";
import type { AnyOperation } from "../../contract/operation.js";
import { bundledScenarioNames, readFixture } from "../../scenarios/bundled-scenarios.js";
import { parseScenario } from "../../scenarios/parse-scenario.js";
import { serviceOperations } from "../../service/index.js";
import { toAdvance } from "../../time/time.js";
import { describeOperation, findOperations, openFile, operations, toRequest } from "../call/operations.js";
import { isFile, readScenarioSource, type ScenarioSource } from "../scenario/sources.js";
import { formatReceiverReport } from "../webhooks/check.js";

/** Session of an agent, on which its tools work. */
export interface McpSession {
  readonly account: SandboxAccount;
  /** Whether the agent runs on this machine, so that it may name files of it. */
  readonly readsFiles: boolean;
}

/** A mistake in the arguments. The message says what to do instead. */
export class ToolError extends Error {}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: TObject;
  /** Advice after an error of the sandbox or the receiver. */
  readonly afterError?: string;
  run(session: McpSession, input: never): Promise<string>;
}

/** Declares a tool whose arguments have the type of its schema. */
export const tool = <const Input extends TObject>(declared: {
  name: string;
  description: string;
  input: Input;
  afterError?: string;
  run(session: McpSession, input: Static<Input>): Promise<string>;
}): Tool => declared as Tool;

/** Formats a value for the agent, without the spaces that would cost tokens. */
export const toText = (value: unknown): string => JSON.stringify(value);

const maxFound = 8;

export const findOperationTool = tool({
  name: "find_operation",
  description:
    "Find operations of the service by words of their id, path or summary. The exact id returns fields, outcomes and errors.",
  input: Type.Object({ query: Type.String({ examples: ["payout", "createPayout"] }) }),
  run: async (_session, { query }) => {
    const found = findOperations(query, serviceOperations);
    const [first] = found;
    if (!first) throw new ToolError(notFound(query));
    if (found.length === 1) return describeOperation(first);
    const lines = found.slice(0, maxFound).map(({ id, route, summary }) => `${id}  ${route}  ${summary}`);
    const rest = found.length - maxFound;
    return [
      ...lines,
      ...(rest > 0 ? [`and ${rest} more: use more words`] : []),
      `Next: find_operation {"query": "${first.id}"}`,
    ].join("\n");
  },
});

const notFound = (query: string): string => {
  const ids = serviceOperations.map(({ id }) => id);
  return `No operation has all of the words ${JSON.stringify(query)}${formatNearest(query, ids, { limit: 3 })}. Use fewer words, such as phone, bvn, payout, refund, webhook.`;
};

const Values = Type.Record(Type.String(), Type.Unknown());

export const callTool = tool({
  name: "call",
  description:
    "Call an operation as a client would. Returns status, body and the request id, which explain takes. An outcome forces a result.",
  input: Type.Object({
    operation: Type.String({ description: "Operation id" }),
    params: Type.Optional(Values),
    query: Type.Optional(Values),
    body: Type.Optional(Values),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Paths by upload field; over HTTP, names of fixtures",
      }),
    ),
    outcome: Type.Optional(Type.String()),
  }),
  run: async (session, { operation: id, ...input }) => {
    const operation = serviceOperations.find((operation) => operation.id === id);
    if (!operation) throw new ToolError(notFound(id));
    const { path, init } = await toRequest(operation, input, {
      openFile: session.readsFiles ? openFile : openFixture,
      issueSessionToken: async () => (await session.account.call("createSessionToken")).token,
    });
    return describeReply(operation, await session.account.fetch(path, init));
  },
});

/** Opens one of the fixtures, for an agent that does not run on this machine. */
async function openFixture(path: string): Promise<File> {
  const content = await readFixture(path).catch((error: Error) => {
    throw new ToolError(`${error.message}: over HTTP, only files of the sandbox can be used.`);
  });
  return new File([new Uint8Array(content)], basename(path));
}

/** Describes a reply and, when it is a refusal, how to go on. */
async function describeReply({ id }: AnyOperation, response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  const isText = /json|text/.test(type);
  const text = isText ? await response.text() : `${type}, ${(await response.arrayBuffer()).byteLength} bytes`;
  const request = response.headers.get("x-request-id");
  const next = response.ok
    ? []
    : [
        `Next: explain {"id": "${request}"} for the reason; find_operation {"query": "${id}"} for the fields.`,
      ];
  return [`${response.status} ${request}`, text, ...next].join("\n");
}

const recentActivities = 5;

export const statusTool = tool({
  name: "status",
  description:
    "Base URL, API key, webhook secret, clock, wallet and latest activities of this session's account.",
  input: Type.Object({}),
  run: async ({ account }) => {
    const [settings, clock, recent, webhooks] = await Promise.all([
      account.call("getAccount"),
      account.clock.get(),
      account.activity.list({ limit: recentActivities }),
      account.webhooks.list(),
    ]);
    return [
      `SERVICE_BASE_URL=${account.baseUrl}`,
      `SERVICE_KEY=${account.key}`,
      `WEBHOOK_SECRET=${settings.webhook_secret}`,
      `clock ${clock.now}, ${clock.mode}; next job ${clock.next_due ?? "none"}`,
      `plan ${settings.plan}, wallet NGN ${settings.balance}`,
      `webhooks: ${webhooks.map((endpoint) => formatEndpoint(endpoint, settings.webhook_secret)).join(", ") || "none registered"}`,
      ...recent.map(format),
      "Next: run the code under test with these variables, or use call; then activity.",
    ].join("\n");
  },
});

/** Returns `https://shop.example/webhooks`, with the endpoint's secret if it is not the account's. */
const formatEndpoint = ({ url, secret }: WebhookEntry, accountSecret: string): string =>
  secret === accountSecret ? url : `${url} (WEBHOOK_SECRET=${secret})`;

const format = (entry: ActivityEntry): string => `${entry.at}  ${formatActivity(entry)}  (${entry.id})`;

export const waitForTool = tool({
  name: "wait_for",
  description:
    "Wait for the next message to a person (its codes included) or the next webhook event that no wait has returned.",
  input: Type.Object({
    what: Type.Enum(["message", "event"]),
    to: Type.Optional(Type.String({ description: "Recipient of the message" })),
    event: Type.Optional(Type.String({ examples: ["payout.paid"] })),
    timeout: Type.Optional(Type.String({ description: "Default 5s" })),
  }),
  afterError: "call what causes it, or advance the clock to when it is due; activity shows what happened.",
  run: async ({ account }, { what, to, event, timeout }) => {
    const limit = timeout === undefined ? {} : { timeout };
    if (what === "message")
      return toText(await account.inbox.wait({ ...(to === undefined ? {} : { to }), ...limit }));
    return toText(
      await account.webhooks.wait({
        ...(event === undefined ? {} : { event: event as EventKind }),
        ...limit,
      }),
    );
  },
});

export const activityTool = tool({
  name: "activity",
  description:
    "What happened to the account, newest first: requests, moves, messages, events, webhook attempts, jobs.",
  input: Type.Object({
    q: Type.Optional(Type.String({ description: "Text in title or id" })),
    kind: Type.Optional(Type.String({ description: "Such as request or attempt" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: "Default 20" })),
  }),
  afterError: "activity without arguments lists the latest.",
  run: async ({ account }, { limit = 20, ...filter }) => {
    const entries = await account.activity.list({ ...filter, limit } as { limit: number });
    if (entries.length === 0) return "Nothing. Next: call an operation, or leave the filter out.";
    return [...entries.map(format), `Next: explain {"id": "${entries[0]?.id}"}`].join("\n");
  },
});

export const explainTool = tool({
  name: "explain",
  description:
    "Why something happened: causes above, effects below, and what decided the outcome. Takes any id.",
  input: Type.Object({ id: Type.String({ examples: ["po_…", "evt_…", "req_…"] }) }),
  afterError: "activity lists ids.",
  run: async ({ account }, { id }) => {
    const explanation = await account.activity.explain(id);
    const record = await account.records.get(explanation.activity.refs.record ?? id).catch(() => null);
    return [formatExplanation(explanation), ...(record === null ? [] : [`record ${toText(record)}`])].join(
      "\n",
    );
  },
});

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
          `${passed ? "✓" : "✗"} ${step} ${title}${problems.map((problem) => `\n    ${problem}`).join("")}`,
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
