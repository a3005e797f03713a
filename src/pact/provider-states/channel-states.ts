/** Provider states of messaging channels. */
import * as Type from "typebox";
import { runAction } from "../../scenarios/given.js";
import { ChatNumber } from "../../service/numbers.js";
import { fieldAt, providerState, type StateContext } from "./define-state.js";

const label = { label: Type.String() };
const to = { to: ChatNumber };
const values = { channel_id: ["The channel's id", "channels.id"] } as const;
const checkValues = { ...values, id: ["The check's id", "identity_checks.id"] } as const;

const answer = "Ngozi";
/** The event of the check's end is only sent if the channel has a website. */
const channelWithWebsite = {
  connected: true,
  moves: [{ move: "connect_website", with: { url: "https://shop.example.com/verified" } }],
};

/** A question that has ended. `reply` is the person's answer; null if there is none. */
const endedQuestion = <const Name extends string>(
  name: Name,
  description: string,
  fields: object,
  reply: string | null,
) =>
  providerState(name, {
    description,
    params: to,
    values: checkValues,
    events: ["verification"],
    given: (params) => ({
      channels: [channelWithWebsite],
      identity_checks: [{ ...params, expected: answer, ...fields }],
    }),
    async finish(context, _params, { channel_id }) {
      const person = fieldAt(context, "identity_checks.to");
      if (reply !== null) await writeAsPerson(context, channel_id, person, reply);
      return undefined;
    },
  });

const writeAsPerson = ({ account, stage }: StateContext, channel_id: string, from: string, text: string) =>
  runAction(account, stage, "replyAsPerson", { channel_id, from, text });

export const channelStates = [
  providerState("a disconnected channel", {
    description: "A channel without a linked number",
    params: label,
    values,
    given: (params) => ({ channels: [params] }),
  }),
  providerState("a connected channel", {
    description: "A channel with a linked number",
    params: label,
    values,
    given: (params) => ({ channels: [{ ...params, connected: true }] }),
  }),
  providerState("an open message window", {
    description: "A person has just written to a connected channel and may be answered",
    params: to,
    values: { ...values, to: "The person's number" },
    given: () => ({ channels: [{ connected: true }] }),
    async finish(context, { to: from = "2348031234567" }, { channel_id }) {
      await writeAsPerson(context, channel_id, from, "Hello");
      return { to: from };
    },
  }),
  providerState("a pending channel code", {
    description: "A code was sent on a channel and has not been checked",
    params: to,
    values: {
      ...values,
      id: ["The code's id", "channel_codes.id"],
      to: ["The person's number", "channel_codes.to"],
      code: "The code",
    },
    // Keeps test numbers from choosing another outcome.
    given: (params) => ({ channel_codes: [{ ...params, outcome: "sent" }] }),
    finish: ({ account }, _params, { to: number }) => ({
      code: account.inbox.list({ to: number })[0]?.codes[0] ?? "",
    }),
  }),
  providerState("an open identity question", {
    description: "A person was asked a question and has not answered",
    params: { ...to, question: Type.String(), expected: Type.String(), reference: Type.String() },
    values: checkValues,
    given: (params) => ({ identity_checks: [params] }),
  }),
  endedQuestion("an answered identity question", "The person gave the expected answer", {}, answer),
  endedQuestion(
    "a failed identity question",
    "The person used up all attempts",
    { max_attempts: 1 },
    `not ${answer}`,
  ),
  endedQuestion("an expired identity question", "The person did not answer in time", { expired: true }, null),
] as const;
