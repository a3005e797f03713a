/** The format of scenario files. */
import * as Type from "typebox";
import { RuleBody } from "../rules/rule-input.js";
import { GivenRecords } from "./given.js";
import { type Step, stepKinds } from "./steps.js";
import { TimelineEntry } from "./timeline-entry.js";

const about = {
  name: Type.String({ minLength: 1, maxLength: 120, examples: ["Payout rejected"] }),
  description: Type.Optional(Type.String({ description: "Summary in a sentence or two" })),
  account: Type.Optional(
    Type.Enum(["test", "live"], { description: "Mode of the key that a run uses. Default test" }),
  ),
};

const parts = {
  given: Type.Optional(GivenRecords),
  rules: Type.Optional(
    Type.Array(RuleBody, { description: "Rules. Matching rules are tried in this order" }),
  ),
  timeline: Type.Optional(Type.Array(TimelineEntry)),
};

/** Schema for editors, with the schema of each kind of step. */
export const ScenarioFile = Type.Object(
  {
    ...about,
    ...parts,
    steps: Type.Optional(
      Type.Array(Type.Union(Object.values(stepKinds)), {
        description: "Steps that a run executes and checks",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Schema for the first check. Steps are then checked by the schema of their kind, which gives better messages. */
export const ScenarioBody = Type.Object(
  {
    ...about,
    ...parts,
    steps: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
  },
  { additionalProperties: false },
);

export interface Scenario extends Omit<Type.Static<typeof ScenarioBody>, "steps" | "given"> {
  given?: Readonly<{ clock?: string } & Record<string, unknown>>;
  steps?: readonly Step[];
}
