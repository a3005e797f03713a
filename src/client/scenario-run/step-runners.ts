/** Runs each kind of step, through the service's API and the control API. */
import type { StepKind, StepOf } from "../../scenarios/steps.js";
import { toAdvance } from "../../time/time.js";
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

export const stepRunners: { [K in StepKind]: StepRunner<K> } = {
  call: runCallStep,
  webhook: runWebhookStep,

  advance: ({ account }, { advance }) =>
    outcomeOf(account.call("advanceClock", { body: toAdvance(advance) })),

  async receive({ connection, receivers }, { receive: { answers = [204], events } }) {
    const name = `scenario-${receivers.length + 1}`;
    const receiver = await openReceiver(connection, name, answers, events);
    receivers.push(receiver);
    return { actual: receiver.endpoint };
  },

  inbox: ({ account }, { inbox }) =>
    outcomeOf(account.inbox.wait(inbox as Parameters<typeof account.inbox.wait>[0])),
  reply: ({ account }, { reply }) => outcomeOf(account.inbox.reply(reply)),
  move: ({ account }, { id, move, with: input = {} }) =>
    outcomeOf(account.records.move(id, move, input as Record<string, unknown>)),
  record: ({ account }, { record }) => outcomeOf(account.records.get(record)),

  pay: ({ account }, { pay: { reference, ...body } }) =>
    outcomeOf(account.call("payCheckout", { params: { reference }, body })),
  visit: ({ account }, { visit: { id, accuracy_m = 10, ...place } }) =>
    outcomeOf(
      account.call("visitAddress", { params: { id }, body: JSON.stringify({ ...place, accuracy_m }) }),
    ),

  control({ account }, { control, body }) {
    const [method = "", path = ""] = control.split(" ");
    return outcomeOf(account.control(method, path, body));
  },
};
