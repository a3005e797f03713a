import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { loadedScenario } from "../scenarios/loaded-scenario.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { messages } from "../world/account/inbox.js";
import { delivery } from "../world/webhooks/delivery.js";
import { sentEvents } from "../world/webhooks/outbox.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { items } from "./schemas.js";

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

export const listAccounts = operation({
  id: "listAccounts",
  route: controlRoutes.listAccounts,
  summary: "List the accounts in memory, the last used first",
  description:
    "Control calls with the id of an account in the header X-Sandbox-Account act on it, without its API key.",
  auth: "control",
  reply: {
    200: items(
      Type.Object({
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
    ),
  },

  handle: ({ sandbox }) => ({
    items: [...sandbox.world.accounts()]
      .filter(({ isUsed }) => isUsed)
      .sort((one, other) => other.lastUsed - one.lastUsed)
      .map((account) => viewAccount(account, sandbox)),
  }),
});
