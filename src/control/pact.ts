/** Pact: provider states, which prepare an account for an interaction, and the account's traffic as pacts. */
import * as Type from "typebox";
import { type ExportedDelivery, exportDeliveries, exportRequests } from "../pact/export/export-pact.js";
import type { PactDocument } from "../pact/export/pact-document.js";
import { causedBy } from "../scenarios/actions.js";
import { rootOf } from "../scenarios/record/session-log.js";
import type { Account } from "../world/account/account.js";
import { attemptRequest, delivery } from "../world/webhooks/delivery.js";
import { type ControlContext, operation } from "./operation.js";
import { sinceField } from "./recording.js";
import { AnyObject, OpaqueObject } from "./schemas.js";
import { requireActivity } from "./view-activity.js";

export const changeProviderState = operation({
  id: "changeProviderState",
  summary: "Set up a provider state on the account, as a Pact verifier requests it",
  description:
    "The reply has the values that fromProviderState refers to. Without a state, and on teardown, nothing changes. `standin verify --states` lists the states.",
  body: Type.Object({
    state: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()])),
    params: Type.Optional(AnyObject),
    action: Type.Optional(Type.Enum(["setup", "teardown"])),
  }),
  reply: { 200: AnyObject },
  refuses: ["validation_error"],

  async handle({ account, activity, body: { state, params = {}, action = "setup" }, sandbox, refuse }) {
    if (!state || action === "teardown") return {};
    const { ProviderStateError, setUpState } = await import("../pact/provider-states/provider-states.js");
    try {
      return await setUpState(account, causedBy(sandbox.stage, activity), state, params);
    } catch (error) {
      if (!(error instanceof ProviderStateError)) throw error;
      return refuse("validation_error", { param: "state", message: error.message });
    }
  },
});

function* sentDeliveries(account: Account): Generator<ExportedDelivery> {
  for (const record of account.records.newest(delivery)) {
    const { event, url, tamper, endpoint_id } = record;
    const genuine = account.outbox.event(record.event_id)?.body ?? null;
    const { headers } = attemptRequest(account.outbox, record, genuine ?? "", 1);
    const secret = account.outbox.secretFor({ id: endpoint_id, url });
    yield { event, url, headers, body: genuine, secret, tampered: tamper !== undefined };
  }
}

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

export const pactFields = {
  of: Type.Optional(Type.Enum(["requests", "webhooks"], { description: "Default requests" })),
  consumer: name,
  provider: name,
  since: sinceField,
};

export const PactView = Type.Object({
  pact: Type.Unsafe<PactDocument>(OpaqueObject),
  left_out: Type.Array(Type.String(), { description: "Traffic that is not in the pact, and why" }),
});

type PactQuery = Type.Static<Type.TObject<typeof pactFields>>;

export async function exportPact({
  account,
  query,
  sandbox,
}: ControlContext & { query: PactQuery }): Promise<Type.Static<typeof PactView>> {
  if (query.of === "webhooks") {
    const { consumer = "service", provider = "receiver" } = query;
    const sent = [...sentDeliveries(account)];
    return { ...exportDeliveries(sent.reverse(), { consumer, provider }) };
  }
  const { consumer = "client", provider = "service" } = query;
  const { operations, assumptions } = sandbox;
  const mode = account.live ? "live" : "test";
  const from =
    query.since === undefined
      ? Number.NEGATIVE_INFINITY
      : rootOf(requireActivity(account, query.since, "since")).at;
  const entries = (await account.requests.list()).filter(({ at }) => at >= from);
  return { ...exportRequests({ entries, operations, assumptions, mode }, { consumer, provider }) };
}
