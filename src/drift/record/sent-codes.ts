/** One-time codes: a run reads them from the inbox, where the client got them from a person. */
import type { RecordedStep, Recorder } from "../../scenarios/record/recorder.js";
import { hasSucceeded, type RecordedCall } from "../../scenarios/record/session-log.js";

interface Sent {
  /** Verification id, or for codes by message the channel and the recipient. */
  readonly subject: string;
  readonly to: string;
  readonly channel: "sms" | "chat";
}

type Fields = Readonly<Record<string, unknown>>;

export class SentCodes {
  /** Codes that no step has read yet, oldest first. */
  #unread: Sent[] = [];

  constructor(readonly recorder: Recorder) {}

  /** Notes the code that a call has sent. */
  remember(call: RecordedCall): void {
    if (!hasSucceeded(call)) return;
    const { id, phone, to } = (call.reply ?? {}) as Fields;
    if (call.operation.id === "startPhoneVerification")
      this.#unread.push({ subject: String(id), to: String(phone), channel: "sms" });
    if (call.operation.id === "sendChannelCode")
      this.#unread.push({ subject: `${call.params.channel_id} ${to}`, to: String(to), channel: "chat" });
  }

  /** Adds the steps that read the code, if a call checks the right one. Wrong codes stay wrong. */
  expect({ operation, body, params, reply }: RecordedCall): void {
    const { code, id, to } = body ?? {};
    const { verified, valid } = (reply ?? {}) as Fields;
    const isRight = verified === true || valid === true;
    if (typeof code !== "string" || !isRight) return;
    const subject = operation.id === "checkPhoneVerification" ? String(id) : `${params.channel_id} ${to}`;
    const last = this.#unread.findLast((sent) => sent.subject === subject);
    if (!last) return;
    // Each step reads the next message to the person, so that earlier ones are read first.
    const earlier = this.#unread.slice(0, this.#unread.indexOf(last) + 1);
    const read = earlier.filter(({ to: person, channel }) => person === last.to && channel === last.channel);
    const steps = read.map(() => this.#addStep(last));
    this.recorder.known.set(code, steps.at(-1) as RecordedStep, "message", "codes.0");
    this.#unread = this.#unread.filter((sent) => !read.includes(sent));
  }

  #addStep({ to, channel }: Sent): RecordedStep {
    const step: RecordedStep = { inbox: { to: this.recorder.rewrite(to), channel } };
    this.recorder.add(step);
    return step;
  }
}
