/** Coverage: the operations, outcomes, transitions and events that clients have exercised. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { type AnyOperation, methodOf, pathOf } from "../contract/operation.js";
import { outcomesOf } from "../rules/outcomes.js";
import { eventKinds } from "../service/webhooks/events.js";
import type { Account } from "../world/account/account.js";
import type { Coverage } from "../world/activity/coverage.js";
import type { AnyMachine } from "../world/records/machine.js";
import { CoverageView, toReport } from "./coverage-report.js";
import { type ControlledSandbox, operation } from "./operation.js";

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
  const replies = [...coverage.replies.entries(listed.id)];
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
      count: coverage.outcomes.get(listed.id, name),
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
      count: coverage.moves.get(row, from),
    })),
  );

function report(coverage: Coverage, sandbox: ControlledSandbox): CoverageView {
  const operations = sandbox.operations.map((listed) => viewOperation(coverage, listed));
  const transitions = [...sandbox.world.machines.values()].flatMap((machine) =>
    viewMachine(coverage, machine),
  );
  const events = eventKinds.map((event) => ({
    event,
    count: coverage.events.get(event),
    operations: sandbox.operations.filter(({ emits }) => emits?.includes(event)).map(({ id }) => id),
  }));
  return toReport({ operations, transitions, events });
}

type CoverageCall = { account: Account; sandbox: ControlledSandbox; query: Type.Static<typeof Scope> };

const coverageIn = ({ account, sandbox, query }: CoverageCall): Coverage =>
  query.scope === "account" ? account.coverage : sandbox.world.coverage;

export const getCoverage = operation({
  id: "getCoverage",
  route: controlRoutes.getCoverage,
  summary:
    "Report which operations, outcomes, transitions and events clients have exercised, and which they have not",
  auth: "control",
  query: Scope,
  reply: { 200: CoverageView },
  handle: (call) => report(coverageIn(call), call.sandbox),
});

export const resetCoverage = operation({
  id: "resetCoverage",
  route: controlRoutes.resetCoverage,
  summary: "Reset the coverage and return the last report",
  description: "With scope=account, the coverage of the whole sandbox keeps what the account did.",
  auth: "control",
  query: Scope,
  reply: { 200: CoverageView },

  handle(call) {
    const last = report(coverageIn(call), call.sandbox);
    if (call.query.scope === "account") call.account.coverage.clear();
    else call.sandbox.world.clearCoverage();
    return last;
  },
});
