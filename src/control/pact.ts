/** Provider states of Pact, which prepare an account for the verification of an interaction. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { causedBy } from "../scenarios/actions.js";
import { operation } from "./operation.js";
import { AnyObject, EventName, items } from "./schemas.js";

export const listProviderStates = operation({
  id: "listProviderStates",
  route: controlRoutes.listProviderStates,
  summary: "List the provider states that pacts can name, with their parameters, values and events",
  auth: "control",
  reply: {
    200: items(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        params: Type.Object({}, { additionalProperties: true, description: "JSON Schema" }),
        values: Type.Record(Type.String(), Type.String()),
        events: Type.Array(EventName, { description: "Events that setting up the state causes" }),
      }),
    ),
  },

  async handle() {
    const { describeStates } = await import("../pact/provider-states/provider-states.js");
    return { items: describeStates() };
  },
});

export const changeProviderState = operation({
  id: "changeProviderState",
  route: controlRoutes.changeProviderState,
  summary: "Set up a provider state on the account, as a Pact verifier requests it",
  description:
    "The reply has the values that fromProviderState refers to. Without a state, and on teardown, nothing changes.",
  auth: "control",
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
