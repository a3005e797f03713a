/** The calls with which a tool that only sends requests plays the steps of a scenario. */
import { controlPrefix } from "../../contract/control-routes.js";
import { type MatchedCall, matchCall } from "../../contract/match-path.js";
import type { AnyOperation } from "../../contract/operation.js";
import { controlOperations } from "../../control/index.js";
import { type ControlCall, stepCalls } from "../../scenarios/step-calls.js";
import { type Step, type StepKind, type StepOf, stepKindOf } from "../../scenarios/steps.js";
import { serviceOperations } from "../../service/index.js";

/** A step of a scenario that no workflow can express. */
export class Inexpressible extends Error {}

/** A call in place of a step. */
export interface Called {
  readonly operation: AnyOperation;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly status?: unknown;
  readonly expected?: unknown;
}

const operations: readonly AnyOperation[] = [...serviceOperations, ...controlOperations];

/** Returns an operation of the service or of the control API. */
export const named = (id: string): AnyOperation =>
  operations.find((operation) => operation.id === id) as AnyOperation;

function find(call: string): MatchedCall {
  const found = matchCall(operations, call);
  if (!found) throw new Inexpressible(`there is no operation at ${call}`);
  return found;
}

/** Returns what makes the call in place of a step that is one call of the control API. */
const calling =
  <S extends { expect?: unknown }>(toControlCall: (step: S) => ControlCall) =>
  (step: S): Called => {
    const { id, ...input } = toControlCall(step);
    return { operation: named(id), ...input, expected: step.expect };
  };

/** Returns the calls in place of the steps of each kind. */
const toCall: { readonly [K in StepKind]: (step: StepOf<K>) => Called } = {
  call({ call, query, headers = {}, body, files, session, expect = {} }) {
    if (files || session || expect.failure !== undefined)
      throw new Inexpressible("files, sessions or failures");
    const found = find(call);
    return {
      ...found,
      query: { ...found.query, ...query },
      headers,
      body,
      status: expect.status,
      expected: expect.body,
    };
  },
  advance: calling(stepCalls.advance),
  reply: calling(stepCalls.reply),
  move: calling(stepCalls.move),
  record: calling(stepCalls.record),
  pay: calling(stepCalls.pay),
  visit: calling(stepCalls.visit),
  receive: () => {
    throw new Inexpressible("a receiver");
  },
  webhook({ webhook, expect }) {
    // Deliveries are seen by receivers, which a workflow does not have.
    const { deliveries: _, received: __, ...expected } = (expect ?? {}) as Record<string, unknown>;
    return { operation: named("waitForEvent"), query: { event: webhook }, expected };
  },
  inbox: ({ inbox, expect }) => ({ operation: named("waitForMessage"), query: inbox, expected: expect }),
  control: ({ control, body, expect }) => ({
    ...find(control.replace(" ", ` ${controlPrefix}`)),
    body,
    expected: expect,
  }),
};

/** Returns the call in place of a step. Throws if no workflow can make it. */
export function callOf(step: Step): Called {
  if (JSON.stringify(step).includes("$${")) throw new Inexpressible("an escaped reference");
  return (toCall[stepKindOf(step) as StepKind] as (step: Step) => Called)(step);
}
