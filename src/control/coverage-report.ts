/** Coverage reports: the operations, outcomes, transitions and events that clients have exercised. */
import * as Type from "typebox";
import { type EventKind, eventKinds } from "../service/webhooks/events.js";

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Object({ exercised: Type.Integer(), total: Type.Integer() });
export type Share = Type.Static<typeof Share>;

export const CoverageView = Type.Object({
  summary: Type.Object({ operations: Share, outcomes: Share, transitions: Share, events: Share }),
  operations: Type.Array(
    Type.Object({
      operation: Type.String(),
      method: Type.String(),
      path: Type.String(),
      calls: Type.Integer({
        minimum: 0,
        description: "Calls of clients, those of a scenario's steps included",
      }),
      scenario_calls: Type.Integer({
        minimum: 0,
        description:
          "Calls that loaded scenarios made themselves, at first and on their timelines. They do not count as exercised",
      }),
      statuses: Type.Record(Type.String(), Count, {
        description:
          "Number of replies by status. A call whose connection was reset before it was processed has no status",
      }),
      outcomes: Type.Array(Type.Object({ name: Type.String(), count: Count }), {
        description: "Number of replies with this X-Sandbox-Outcome",
      }),
    }),
  ),
  transitions: Type.Array(
    Type.Object({
      machine: Type.String(),
      move: Type.String(),
      from: Type.String({ description: "`new` for a move that creates the record" }),
      to: Type.String({ description: "`computed` if it depends on the record or the move's input" }),
      count: Count,
    }),
  ),
  events: Type.Array(
    Type.Object({
      event: Type.Unsafe<EventKind>(Type.Enum([...eventKinds])),
      count: Type.Integer({ minimum: 0, description: "Excludes events that were triggered by hand" }),
      operations: Type.Array(Type.String(), { description: "Operations that can lead to it" }),
    }),
  ),
});
export type CoverageView = Type.Static<typeof CoverageView>;

/** Subjects that a report counts. */
export const coverageKinds = ["operations", "outcomes", "transitions", "events"] as const;
export type CoverageKind = (typeof coverageKinds)[number];

const share = (counts: readonly number[]): Share => ({
  exercised: counts.filter((count) => count > 0).length,
  total: counts.length,
});

/** Adds the summary to the parts of a report. */
export function toReport({ operations, transitions, events }: Omit<CoverageView, "summary">): CoverageView {
  return {
    summary: {
      operations: share(operations.map(({ calls }) => calls)),
      outcomes: share(operations.flatMap(({ outcomes }) => outcomes.map(({ count }) => count))),
      transitions: share(transitions.map(({ count }) => count)),
      events: share(events.map(({ count }) => count)),
    },
    operations,
    transitions,
    events,
  };
}
