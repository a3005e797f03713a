/** A rule as a tester writes it, for the control API and for scenario files. */
import * as Type from "typebox";
import { FaultFields, WebhookFaults } from "./faults.js";

/** Value of `on` for the requests of every operation. */
export const everyOperation = "*";
/** Value of `on` for the deliveries of every event. */
export const everyWebhook = "webhooks";

const parts = (description: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description }));

export const MatchFields = Type.Object(
  {
    path: Type.Optional(Type.String()),
    params: parts("Path parameters"),
    query: parts("Query parameters: strings, or arrays of them"),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: parts("JSON fields, or the text fields of a form"),
    files: parts("Uploaded files by field: {filename, type, size, sha256}"),
    outcome: Type.Optional(
      Type.String({
        examples: ["paid"],
        description:
          "Outcome that the request has otherwise: by a rule without this condition, by its test value, or by default",
      }),
    ),
    event: Type.Optional(Type.String({ description: "Event kind of a delivery" })),
    data: parts("Event data of a delivery"),
    url: Type.Optional(Type.String({ description: "Endpoint URL of a delivery" })),
  },
  {
    additionalProperties: false,
    description:
      "Every part that is present must match: objects by the fields named, arrays whole, `/…/` as a regular expression for the whole value, `!/…/` as a pattern that it must not match, `<string>`, `<integer>`, `<any>`, `<absent>` and the like by type",
  },
);
export type MatchFields = Type.Static<typeof MatchFields>;

const effect = {
  outcome: Type.Optional(
    Type.String({ examples: ["sms_failed"], description: "Name of an outcome of the operation" }),
  ),
  fault: Type.Optional(FaultFields),
  webhook: Type.Optional(WebhookFaults),
  hold: Type.Optional(
    Type.Enum(["request", "reply", "webhook"], {
      description:
        "Stops matching requests before they take effect, their replies, or the first attempt of matching deliveries, until they are released or dropped by hand, at most 10 minutes",
    }),
  ),
};
const uses = {
  times: Type.Optional(
    Type.Integer({ minimum: 1, description: "Maximum number of uses. Unlimited if omitted" }),
  ),
  probability: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: "Probability that a match counts, drawn from the account's seed. Default 1",
    }),
  ),
};

/** Stage that replaces a rule when its uses are spent. */
export const StageFields = Type.Object({ ...effect, ...uses }, { additionalProperties: false });
export type StageFields = Type.Static<typeof StageFields>;
export type EffectFields = Omit<StageFields, "times" | "probability">;

export const RuleBody = Type.Object(
  {
    on: Type.String({
      description:
        "Operation id, or `*` for every operation; for deliveries an event kind, or `webhooks` for every event",
      examples: ["startPhoneVerification"],
    }),
    when: Type.Optional(MatchFields),
    ...effect,
    ...uses,
    priority: Type.Optional(
      Type.Integer({ description: "Rules of higher priority are tried first. Default 0" }),
    ),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: "Number of matches to let pass first. Default 0" }),
    ),
    next: Type.Optional(
      Type.Array(StageFields, {
        description:
          "Stages that replace the rule one after the other, each when the uses of the one before are spent",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ on: "createPayout", outcome: "rejected", times: 1 }] },
);
export type RuleBody = Type.Static<typeof RuleBody>;
