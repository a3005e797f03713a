/** Provider states of Pact: what an account can be brought into before an interaction is verified. */
import * as Type from "typebox";
import { operation } from "./operation.js";
import { Anything, items } from "./schemas.js";

export const listProviderStates = operation({
  id: "listProviderStates",
  route: "GET /_sandbox/pact/states",
  summary: "The provider states that pacts may name, with their parameters and the values that they give",
  auth: "control",
  reply: {
    200: items(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        params: Type.Object({}, { additionalProperties: true, description: "JSON Schema" }),
        values: Type.Record(Type.String(), Type.String()),
      }),
    ),
  },

  async handle() {
    const { providerStates } = await import("../pact/provider-states/provider-states.js");
    return {
      items: providerStates.map(({ name, description, params, values }) => {
        return { name, description, params, values };
      }),
    };
  },
});

export const changeProviderState = operation({
  id: "changeProviderState",
  route: "POST /_sandbox/pact/states",
  summary: "Bring the account into a provider state, as a Pact verifier asks for it",
  description:
    "The answer's values are those that fromProviderState finds. No state, and a teardown, change nothing.",
  auth: "control",
  body: Type.Object({
    state: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()])),
    params: Type.Optional(Anything),
    action: Type.Optional(Type.Enum(["setup", "teardown"])),
  }),
  reply: { 200: Anything },
  refuses: ["validation_error"],

  async handle({ account, body: { state, params = {}, action = "setup" }, sandbox, refuse }) {
    if (!state || action === "teardown") return {};
    const { ProviderStateError, setUpState } = await import("../pact/provider-states/provider-states.js");
    try {
      return await setUpState(account, sandbox.stage, state, params as Record<string, unknown>);
    } catch (error) {
      if (!(error instanceof ProviderStateError)) throw error;
      return refuse("validation_error", { param: "state", message: error.message });
    }
  },
});
