/** A scenario file: documentation, demo and test at once. Its schema is emitted to contracts/scenario.schema.json. */
import * as Type from "typebox";
import { RuleInput } from "../rules/rule-input.js";
import { Given } from "./given.js";
import { type Step, stepKinds } from "./steps.js";
import { TimelineEntry } from "./timeline.js";

const about = {
  name: Type.String({ minLength: 1, maxLength: 120, examples: ["Payout rejected"] }),
  description: Type.Optional(Type.String({ description: "The story, in a sentence or two" })),
  account: Type.Optional(
    Type.Enum(["test", "live"], { description: "The mode of the key that a run takes; default test" }),
  ),
};

const parts = {
  given: Type.Optional(Given),
  rules: Type.Optional(Type.Array(RuleInput, { description: "The first one that matches counts first" })),
  timeline: Type.Optional(Type.Array(TimelineEntry)),
};

/** As editors check it. */
export const ScenarioFile = Type.Object(
  {
    ...about,
    ...parts,
    steps: Type.Optional(
      Type.Array(Type.Union(Object.values(stepKinds)), {
        description: "A walk-through that a run executes and checks",
      }),
    ),
  },
  { additionalProperties: false },
);

/** As our own checks take it: each step is held against the schema of its kind afterwards, which says more. */
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
