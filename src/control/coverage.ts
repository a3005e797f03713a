/** Coverage: the operations, outcomes, transitions and events that clients have exercised. */
import * as Type from "typebox";
import { type AnyOperation, methodOf, pathOf } from "../contract/operation.js";
import { outcomesOf } from "../rules/outcomes.js";
import { type EventKind, eventKinds } from "../service/webhooks/events.js";
import type { Account } from "../world/account/account.js";
import type { Coverage } from "../world/activity/coverage.js";
import type { AnyMachine } from "../world/records/machine.js";
import { type ControlledSandbox, operation } from "./operation.js";

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
        description:
          "Calls of clients, including the steps of scenarios. Requests that are refused before the operation sees them, because of their key or a body that is neither JSON nor a form, are not calls",
      }),
      scenario_calls: Type.Integer({
        minimum: 0,
        description:
          "Calls that scenarios made when they were loaded and on their timelines. They do not count as exercised",
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

/** Kinds of things that a report counts. */
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

const Scope = Type.Object({
  scope: Type.Optional(
    Type.Enum(["all", "account"], {
      default: "all",
      description:
        "`all`: all accounts, since the sandbox was started. `account`: the caller's account, since it was reset or restored, or, with a data folder, unloaded because it was idle",
    }),
  ),
});

const viewOperation = (coverage: Coverage, listed: AnyOperation) => {
  const replies = [...coverage.replies.of(listed.id).entries()];
  const answered = replies.filter(([status]) => status !== null);
  return {
    operation: listed.id,
    method: methodOf(listed),
    path: pathOf(listed),
    calls: replies.reduce((sum, [, count]) => sum + count, 0),
    scenario_calls: coverage.scenarioCalls.get(listed.id),
    statuses: Object.fromEntries(answered) as Record<string, number>,
    outcomes: Object.keys(outcomesOf(listed)).map((name) => ({
      name,
      count: coverage.outcomes.of(listed.id).get(name),
    })),
  };
};

const viewMachine = (coverage: Coverage, { name, moves }: AnyMachine) =>
  Object.entries(moves).flatMap(([move, row]) =>
    [row.from].flat().map((from) => ({
      machine: name,
      move,
      from,
      to: typeof row.to === "string" ? row.to : "computed",
      count: coverage.moves.of(row).get(from),
    })),
  );

/** Returns the report of these operations and machines. */
export function reportCoverage(
  coverage: Coverage,
  listed: readonly AnyOperation[],
  machines: Iterable<AnyMachine>,
): CoverageView {
  const operations = listed.map((operation) => viewOperation(coverage, operation));
  const transitions = [...machines].flatMap((machine) => viewMachine(coverage, machine));
  const events = eventKinds.map((event) => ({
    event,
    count: coverage.events.get(event),
    operations: listed.filter(({ emits }) => emits?.includes(event)).map(({ id }) => id),
  }));
  return toReport({ operations, transitions, events });
}

type CoverageCall = { account: Account; sandbox: ControlledSandbox; query: Type.Static<typeof Scope> };

const coverageIn = ({ account, sandbox, query }: CoverageCall): Coverage =>
  query.scope === "account" ? account.coverage : sandbox.world.coverage;

const report = (coverage: Coverage, { operations, world }: ControlledSandbox): CoverageView =>
  reportCoverage(coverage, operations, world.machines.values());

export const getCoverage = operation({
  id: "getCoverage",
  summary:
    "Report which operations, outcomes, transitions and events clients have exercised, and which they have not",
  query: Scope,
  reply: { 200: CoverageView },
  handle: (call) => report(coverageIn(call), call.sandbox),
});

export const resetCoverage = operation({
  id: "resetCoverage",
  summary: "Reset the coverage and return the last report",
  description: "With scope=account, the coverage of the whole sandbox keeps what the account did.",
  query: Scope,
  reply: { 200: CoverageView },

  handle(call) {
    const last = report(coverageIn(call), call.sandbox);
    if (call.query.scope === "account") call.account.coverage.clear();
    else call.sandbox.world.clearCoverage();
    return last;
  },
});
