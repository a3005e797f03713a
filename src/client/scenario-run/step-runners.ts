/** Runs each kind of step, through the service's API and the control API. */
import { type ControlCall, stepCalls } from "../../scenarios/step-calls.js";
import type { StepKind, StepOf } from "../../scenarios/steps.js";
import type { CallId } from "../control-call.js";
import { runCallStep } from "./call-step.js";
import { openReceiver } from "./receiver.js";
import type { Compare, StepContext, StepOutcome } from "./step-context.js";
import { runWebhookStep } from "./webhook-step.js";

type StepRunner<K extends StepKind> = (
  context: StepContext,
  step: StepOf<K>,
  compare: Compare,
) => Promise<StepOutcome>;

const outcomeOf = async (actual: Promise<unknown>): Promise<StepOutcome> => ({ actual: await actual });

/** Runs a step that is one call of the control API. */
const calling =
  <Step>(toCall: (step: Step) => ControlCall) =>
  ({ account }: StepContext, step: Step): Promise<StepOutcome> => {
    const { id, ...input } = toCall(step);
    // The schema of scenarios has checked what the operation takes.
    return outcomeOf(account.call(id as CallId, input as never));
  };

export const stepRunners: { [K in StepKind]: StepRunner<K> } = {
  call: runCallStep,
  webhook: runWebhookStep,

  advance: calling(stepCalls.advance),
  reply: calling(stepCalls.reply),
  move: calling(stepCalls.move),
  record: calling(stepCalls.record),
  pay: calling(stepCalls.pay),
  visit: calling(stepCalls.visit),

  async receive({ connection, receivers }, { receive: { answers = [204], events } }) {
    const name = `scenario-${receivers.length + 1}`;
    const receiver = await openReceiver(connection, name, answers, events);
    receivers.push(receiver);
    return { actual: receiver.endpoint };
  },

  inbox: ({ account }, { inbox }) =>
    outcomeOf(account.inbox.wait(inbox as Parameters<typeof account.inbox.wait>[0])),

  control({ account }, { control, body }) {
    const [method = "", path = ""] = control.split(" ");
    return outcomeOf(account.control(method, path, body));
  },
};
