/** Operations for operators of a sandbox: health and metrics, replicas, accounts and keys. */
import * as Type from "typebox";
import { isKey, keyRule } from "../contract/api-keys.js";
import { refuse } from "../contract/errors.js";
import { Binary } from "../contract/reply-forms.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { loadedScenario } from "../scenarios/loaded-scenario.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { newKey } from "../world/account/account-id.js";
import { messages } from "../world/account/inbox.js";
import { delivery } from "../world/webhooks/delivery.js";
import { sentEvents } from "../world/webhooks/outbox.js";
import { collection } from "./collection.js";
import { type ControlledSandbox, operation } from "./operation.js";

export const getHealth = operation({
  id: "getHealth",
  summary: "Check that the sandbox is serving",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ok") }) },
  handle: () => ({ status: "ok" as const }),
});

export const getReadiness = operation({
  id: "getReadiness",
  summary: "Check that the sandbox can serve accounts",
  description:
    "Refused with 503 while the sandbox stops and while its store cannot be reached. A load balancer sends requests to ready replicas only.",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ready") }) },
  refuses: ["not_ready"],
  handle({ sandbox }) {
    const message = sandbox.unready();
    if (message !== null) refuse("not_ready", { message, headers: { "Retry-After": "1" } });
    return { status: "ready" as const };
  },
});

export const getMetrics = operation({
  id: "getMetrics",
  summary: "Get the figures of this process in the text format of Prometheus",
  auth: "operator",
  reply: { 200: { contentType: "text/plain; version=0.0.4; charset=utf-8" } },
  async handle({ sandbox }) {
    const { formatMetrics } = await import("./format-metrics.js");
    const { contentType, text } = await formatMetrics(sandbox);
    return new Binary(contentType, Buffer.from(text));
  },
});

const Replica = Type.Object({
  id: Type.String(),
  url: nullable(Type.String(), { description: "Address at which the other replicas reach it" }),
  started_at: Timestamp,
  lease_ms: Type.Integer({
    minimum: 0,
    description:
      "Time in ms until its lease ends unless it is renewed. Others may then take over its accounts",
  }),
  accounts: Type.Integer({ minimum: 0, description: "Number of accounts that it owns" }),
  answered: Type.Boolean({ description: "Whether this replica has answered the request" }),
});

async function listReplicas({ world }: ControlledSandbox): Promise<Type.Static<typeof Replica>[]> {
  const { cluster } = world.options.store;
  const replicas = (await cluster?.replicas()) ?? [];
  return replicas.map((replica) => ({ ...replica, answered: replica.id === cluster?.replicaId }));
}

const Count = Type.Integer({ minimum: 0 });

function viewAccount(account: Account, { labels }: ControlledSandbox) {
  const { id, live, lastUsed, requestCount, settings, state } = account;
  return {
    id,
    mode: live ? ("live" as const) : ("test" as const),
    label: labels.get(id) ?? null,
    name: settings.name ?? loadedScenario(account)?.title ?? null,
    last_used_at: toIso(lastUsed),
    requests: requestCount,
    messages: state.size(messages),
    events: state.size(sentEvents),
    deliveries: state.size(delivery),
  };
}

export const { list: listAccounts } = collection({
  of: Type.Object({
    id: Type.String({ examples: ["acct_dpd6oqznyhe5fdgk"] }),
    mode: Type.Enum(["test", "live"]),
    label: nullable(Type.String(), { description: "Key of the account if it is well known" }),
    name: nullable(Type.String(), { description: "Its own name, or the scenario that is loaded" }),
    last_used_at: Timestamp,
    requests: Count,
    messages: Count,
    events: Count,
    deliveries: Count,
  }),
  paging: "whole",
  items: ({ sandbox }) =>
    [...sandbox.world.accounts()].filter(({ isUsed }) => isUsed).sort((a, b) => b.lastUsed - a.lastUsed),
  view: (account, { sandbox }) => viewAccount(account, sandbox),
  list: {
    id: "listAccounts",
    summary: "List the accounts in memory, the last used first, and the replicas that share the store",
    description:
      "Control calls with the id of an account in the header X-Sandbox-Account act on it, without its API key.",
  },
  beside: {
    of: {
      replicas: Type.Array(Replica, {
        description: "In the order in which they started. Empty in a sandbox without `--store`",
      }),
    },
    values: async ({ sandbox }) => ({ replicas: await listReplicas(sandbox) }),
  },
});

export const registerKey = operation({
  id: "registerKey",
  summary: "Register a key, or generate one",
  description: "Required in a sandbox started with --registered-keys-only. Other sandboxes accept every key.",
  body: Type.Object({
    key: Type.Optional(Type.String({ description: "8 to 128 visible characters. Default: a generated key" })),
    mode: Type.Optional(
      Type.Enum(["test", "live"], { description: "Mode of a generated key. Default test" }),
    ),
  }),
  bodyOptional: true,
  reply: {
    201: Type.Object({ key: Type.String(), account: Type.String(), mode: Type.Enum(["test", "live"]) }),
  },
  refuses: ["validation_error"],

  async handle({ body, sandbox, refuse }) {
    const key = body.key ?? newKey(body.mode);
    if (!isKey(key)) {
      refuse("validation_error", { param: "key", message: `key must be ${keyRule}.` });
    }
    const account = await sandbox.openKey(key);
    account.commit("control", () => account.own.register());
    return { key, account: account.id, mode: account.live ? ("live" as const) : ("test" as const) };
  },
});

export const createSessionToken = operation({
  id: "createSessionToken",
  summary: "Issue a dashboard session token for the domain endpoints",
  reply: { 200: Type.Object({ token: Type.String(), expires_at: Type.String({ format: "date-time" }) }) },
  handle: ({ account, sandbox }) => sandbox.issueSessionToken(account),
});
