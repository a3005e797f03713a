/** Activities as the control API shows them. */
import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import { type DecidedBy, outcomeSources, shortSummary } from "../contract/operation.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { redactAddress } from "../contract/secrets.js";
import { assumptionsOf } from "../service/assumptions.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { type Activity, activityKinds, causeId } from "../world/activity/activity.js";
import type { ControlledSandbox } from "./operation.js";
import { NullableString } from "./schemas.js";

export const Kind = Type.Enum([...activityKinds]);

const Reference = Type.Optional(Type.String());

export const CallView = Type.Object({
  method: nullable(Type.String(), { description: "Null for calls that the sandbox itself makes" }),
  path: nullable(Type.String(), { description: "Path with query, with secrets redacted" }),
  does: Type.String({
    description: "What its operation does. Empty for calls that no operation answers",
    examples: ["Send a one-time code by SMS"],
  }),
  status: nullable(Type.Integer(), {
    description:
      "Null until the reply, for calls that the sandbox itself makes, and if a fault reset the connection",
  }),
  error_code: NullableString,
  outcome: NullableString,
  decided_by: nullable(Type.Enum([...outcomeSources]), { description: "What decided the outcome" }),
  rule: nullable(Type.String(), { description: "Id of the rule that decided the outcome or the fault" }),
  fault: NullableString,
  cost: Type.Integer({ description: "Price in kobo" }),
  duration_ms: nullable(Type.Number(), { description: "Wall-clock time" }),
  assumptions: Type.Array(Type.String(), { description: "Assumptions that apply to the operation" }),
});

const MoveView = Type.Object({
  name: Type.String(),
  from: Type.String({ description: "State before; new for a record that was created" }),
  to: Type.String(),
});

const AttemptView = Type.Object({
  event: Type.String({ description: "Kind of the event" }),
  url: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  status: nullable(Type.Integer(), { description: "HTTP status of the answer. Null without one" }),
  error: NullableString,
  state: Type.String({ description: "State of the delivery afterwards" }),
});

export const ActivityView = Type.Object({
  id: Type.String({ description: "For requests, the X-Request-Id of the reply" }),
  at: Timestamp,
  kind: Kind,
  title: Type.String({
    description: "Method and path of a request; a sentence for anything else",
    examples: [
      "POST /v1/phone/verify/start",
      "Payment of NGN 18,315.00 from Adaeze Okafor received by transfer.",
    ],
  }),
  cause: nullable(Type.String(), {
    description: "Id of the activity that led to it, which may no longer be kept. Null for a root",
  }),
  refs: Type.Object(
    {
      operation: Reference,
      record: Reference,
      machine: Reference,
      message: Reference,
      event: Reference,
      delivery: Reference,
      endpoint: Reference,
    },
    { description: "Ids of the things that it is about" },
  ),
  call: nullable(CallView, { description: "Result of the operation's call. Null for other activities" }),
  move: nullable(MoveView, {
    description: "Change of the record's state. Null for other activities",
  }),
  attempt: nullable(AttemptView, { description: "Result of a webhook attempt. Null for other activities" }),
  wrote: Type.Array(Type.Object({ table: Type.String(), id: Type.String() }), {
    description: "Records that it has changed",
  }),
});

export type ViewedActivity = Type.Static<typeof ActivityView>;

const assumptions = new WeakMap<ControlledSandbox, Map<string, readonly string[]>>();

/** Returns the assumptions that apply to an operation of the service. */
function assumptionsFor(sandbox: ControlledSandbox, id: string | undefined): string[] {
  let known = assumptions.get(sandbox);
  if (!known) {
    known = new Map(sandbox.operations.map((listed) => [listed.id, [...assumptionsOf(listed)].sort()]));
    assumptions.set(sandbox, known);
  }
  return [...(known.get(id ?? "") ?? [])];
}

export function viewActivity(
  activity: Activity,
  sandbox: ControlledSandbox,
): Type.Static<typeof ActivityView> {
  const { id, at, kind, refs, call, move, attempt, wrote } = activity;
  return {
    id,
    at: toIso(at),
    kind,
    title: titleOf(activity),
    cause: causeId(activity),
    refs: { ...refs },
    call: call && {
      method: call.method,
      path: call.path === null ? null : redactAddress(call.path),
      does: describeActivity(activity),
      status: call.status,
      error_code: call.error_code,
      outcome: call.outcome,
      decided_by: call.decided_by as DecidedBy | null,
      rule: call.rule,
      fault: call.asked_fault,
      cost: call.cost,
      duration_ms: call.duration_ms === null ? null : Math.round(call.duration_ms * 100) / 100,
      assumptions: assumptionsFor(sandbox, refs.operation),
    },
    move: move && { ...move },
    attempt: attempt && { ...attempt },
    wrote: pairsOf(wrote),
  };
}

/** Returns the newest activity about an id, or refuses. */
export function requireActivity({ activities }: Account, id: string, param: string): Activity {
  const message = `There is no activity about ${JSON.stringify(id.slice(0, 100))} on this account: the id is wrong, or the activity was before the sandbox was started or the account was reset. ${controlRoutes.listActivity} lists those that are kept.`;
  return activities.log.find(id) ?? refuse("resource_not_found", { param, message });
}

export function titleOf(activity: Activity): string {
  const { call } = activity;
  return call?.path ? `${call.method} ${redactAddress(call.path)}` : describeActivity(activity);
}

/** Returns the sentence that says what happened, or what a call's operation does. */
export const describeActivity = ({ call, summary }: Activity): string =>
  call ? shortSummary(summary) : summary;

/** Returns each table and id once, in order of the first change. */
function pairsOf(wrote: readonly string[]): { table: string; id: string }[] {
  const pairs = new Map<string, { table: string; id: string }>();
  for (let i = 0; i < wrote.length; i += 2) {
    const [table, id] = wrote.slice(i, i + 2) as [string, string];
    pairs.set(`${table} ${id}`, { table, id });
  }
  return [...pairs.values()];
}
