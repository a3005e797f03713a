/** Records the messages and events that a call or a job caused. */
import { channel } from "../../service/channels/channels.js";
import type { Account } from "../../world/account/account.js";
import type { Message } from "../../world/account/inbox.js";
import type { Activity } from "../../world/activity/activity.js";
import { delivery } from "../../world/webhooks/delivery.js";
import type { RecordedStep, Recorder } from "./recorder.js";

const recipientOf = ({ channel, to }: Message): string =>
  channel === "email" ? channel : `${channel} ${to}`;

/** Notes a message that the loaded scenario sends in each run, before the first step. */
export function noteMessage(recorder: Recorder, account: Account, { refs }: Activity): void {
  const message = account.inbox.get(refs.message as string);
  if (!message) return;
  const recipient = recipientOf(message);
  recorder.sentBefore.set(recipient, [...(recorder.sentBefore.get(recipient) ?? []), message]);
}

/** Records a message as the next one to its recipient. Codes and links are patterns. */
export function recordMessage(recorder: Recorder, account: Account, { refs }: Activity): void {
  const message = account.inbox.get(refs.message as string);
  // A person's message to a channel is the reply of the step that wrote it.
  if (!message || account.state.has(channel, message.to)) return;
  // Numbers that the sandbox has invented differ in a run.
  if (message.channel !== "email" && !recorder.known.isRepeatable(message.to)) return;
  const recipient = recipientOf(message);
  for (const earlier of recorder.sentBefore.get(recipient) ?? []) addMessage(recorder, earlier);
  recorder.sentBefore.delete(recipient);
  addMessage(recorder, message);
}

function addMessage(recorder: Recorder, { to, channel, codes, links }: Message): void {
  // An e-mail's recipient contains the id of the account, which a run does not have.
  const filter = channel === "email" ? { channel } : { to: recorder.rewrite(to), channel };
  const step: RecordedStep = { inbox: filter };
  const found = {
    ...(codes.length > 0 ? { codes: codes.map((code) => `/\\d{${code.length}}/`) } : {}),
    ...(links.length > 0 ? { links: links.map(() => "/https?:.+/") } : {}),
  };
  step.expect = recorder.isSetup ? undefined : { channel, ...found };
  recorder.addCall(step, "message", { reply: { codes, links } });
}

/** Records an event as the next one of its kind, with what the receivers of a run get at once. */
export function recordEvent(recorder: Recorder, account: Account, { refs }: Activity): void {
  const event = account.outbox.event(refs.event as string);
  if (!event) return;
  const step: RecordedStep = { webhook: event.event };
  const sent = recorder.deliveries.get(event.id) ?? [];
  const expected = recorder.expect({ data: event.data }, {}) as object | undefined;
  const isPlain = sent.every(
    ({ rule, endpoint_id }) => rule === undefined && recorder.receivers.has(endpoint_id),
  );
  step.expect =
    expected && isPlain && sent.length > 0 && !recorder.isAdvancing
      ? { ...expected, received: sent.map(() => ({ signed: true })) }
      : expected;
  const { id, data } = event;
  recorder.addCall(step, "event", { reply: { id, data, deliveries: sent.map((one) => ({ id: one.id })) } });
}

/** Reads the account's deliveries, of which there may be many, by the events that they deliver. */
export function* readDeliveries(recorder: Recorder, account: Account): Generator<void, void> {
  for (const record of account.records.newest(delivery)) {
    const sent = recorder.deliveries.get(record.event_id) ?? [];
    recorder.deliveries.set(record.event_id, [record, ...sent]);
    yield;
  }
}

/** Lets each receiver of a run answer as the endpoint did. A receiver that could not be reached answers 503. */
export function recordAnswers(recorder: Recorder): void {
  const deliveries = [...recorder.deliveries.values()].reverse().flat();
  for (const [endpoint, step] of recorder.receivers) {
    const attempts = deliveries
      .filter(({ endpoint_id }) => endpoint_id === endpoint)
      .flatMap((record) => record.attempts)
      .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
    const answers = attempts.map(({ status }) => (status !== null && status >= 200 ? status : 503));
    while (answers.length > 1 && answers.at(-1) === answers.at(-2)) answers.pop();
    const isDefault = answers.length === 0 || (answers.length === 1 && answers[0] === 204);
    if (!isDefault) step.receive = { answers, ...(step.receive as object) };
  }
}
