/** One entry of a scenario's timeline. */
import * as Type from "typebox";

export const TimelineEntry = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        examples: ["30s"],
        description: "Time after the scenario is loaded, on the account's clock",
      }),
    ),
    at: Type.Optional(
      Type.String({
        examples: ["2026-03-02T09:00:00Z"],
        description: "Instant on the account's clock; runs at once if it has passed",
      }),
    ),
    cron: Type.Optional(
      Type.String({
        examples: ["*/5 * * * *"],
        description: "Cron expression in UTC: minute hour day month weekday",
      }),
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Maximum number of runs of a cron entry. Unlimited if omitted",
      }),
    ),
    do: Type.String({ examples: ["simulate_payment"], description: "Id of an operation" }),
    with: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Fields of the operation; `outcome` requests an outcome",
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type TimelineEntry = Type.Static<typeof TimelineEntry>;
