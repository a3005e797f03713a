/** The tools that show what happened: `status`, `wait_for`, `activity` and `explain`. */
import * as Type from "typebox";
import { formatActivity, formatExplanation } from "../../client/account/format-activity.js";
import type { EventKind } from "../../client/account/names.js";
import type { ActivityEntry, WebhookEntry } from "../../client/account/types.js";
import { tool, toText } from "./tool.js";

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
      `webhooks: ${webhooks.map((one) => formatEndpoint(one, settings.webhook_secret)).join(", ") || "none registered"}`,
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
