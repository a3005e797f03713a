/** Runs each kind of step, through the service's API and the control API. */
import type { StepKind, StepOf } from "../../scenarios/steps.js";
import { runCallStep } from "./call-step.js";
import { openReceiver } from "./receiver.js";
import { type Compare, type StepContext, StepFailure, type StepOutcome } from "./step-context.js";
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

  advance({ account }, { advance }) {
    const isInstant = advance === "next" || /^\d{4}-/.test(advance);
    return outcomeOf(isInstant ? account.clock.advanceTo(advance) : account.advance(advance));
  },

  async receive({ account, receivers }, { receive: { answers = [204], events } }) {
    let secret = "";
    const receiver = await openReceiver(answers, () => secret);
    receivers.push(receiver);
    const response = await account.fetch("/v1/webhooks", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url: receiver.url, ...(events ? { events } : {}) }),
    });
    const endpoint = (await response.json()) as { id: string; secret: string };
    if (!response.ok) throw new StepFailure(`the receiver cannot be registered: ${JSON.stringify(endpoint)}`);
    secret = endpoint.secret;
    receiver.endpoint = endpoint.id;
    return { actual: endpoint };
  },

  inbox: ({ account }, { inbox }) =>
    outcomeOf(account.inbox.wait(inbox as Parameters<typeof account.inbox.wait>[0])),
  reply: ({ account }, { reply }) => outcomeOf(account.inbox.reply(reply)),
  move: ({ account }, { id, move, with: input = {} }) =>
    outcomeOf(account.records.move(id, move, input as Record<string, unknown>)),
  record: ({ account }, { record }) => outcomeOf(account.records.get(record)),

  pay: ({ account }, { pay: { reference, ...body } }) =>
    outcomeOf(account.control("POST", `/checkout/${encodeURIComponent(reference)}/pay`, body)),
  visit: ({ account }, { visit: { id, accuracy_m = 10, ...place } }) =>
    outcomeOf(account.control("POST", `/address/${encodeURIComponent(id)}/visit`, { ...place, accuracy_m })),

  control({ account }, { control, body }) {
    const [method = "", path = ""] = control.split(" ");
    return outcomeOf(account.control(method, path, body));
  },
};
