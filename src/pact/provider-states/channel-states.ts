/** Provider states of messaging channels. */
import * as Type from "typebox";
import { runAction } from "../../scenarios/given.js";
import { ChatNumber } from "../../service/numbers.js";
import { firstOf, providerState, type StateContext, valuesFrom } from "./define-state.js";

const label = { label: Type.String() };
const to = { to: ChatNumber };
const channelId = valuesFrom({ channel_id: "channels.id" });
const identityCheckIds = valuesFrom({ channel_id: "channels.id", id: "identity_checks.id" });
const values = { channel_id: "The channel's id" };

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
    values: { ...values, id: "The check's id" },
    events: ["verification"],
    given: (params) => ({
      channels: [channelWithWebsite],
      identity_checks: [{ ...params, expected: answer, ...fields }],
    }),
    async finish(context) {
      const ids = identityCheckIds(context);
      const person = firstOf(context, "identity_checks", "to");
      if (reply !== null) await writeAsPerson(context, ids.channel_id, person, reply);
      return ids;
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
    finish: channelId,
  }),
  providerState("a connected channel", {
    description: "A channel with a linked number",
    params: label,
    values,
    given: (params) => ({ channels: [{ ...params, connected: true }] }),
    finish: channelId,
  }),
  providerState("an open message window", {
    description: "A person has just written to a connected channel and may be answered",
    params: to,
    values: { ...values, to: "The person's number" },
    given: () => ({ channels: [{ connected: true }] }),
    async finish(context, { to: from = "2348031234567" }) {
      const { channel_id } = channelId(context);
      await writeAsPerson(context, channel_id, from, "Hello");
      return { channel_id, to: from };
    },
  }),
  providerState("a pending channel code", {
    description: "A code was sent on a channel and has not been checked",
    params: to,
    values: { ...values, id: "The code's id", to: "The person's number", code: "The code" },
    // Keeps test numbers from choosing another outcome.
    given: (params) => ({ channel_codes: [{ ...params, outcome: "sent" }] }),
    finish(context) {
      const number = firstOf(context, "channel_codes", "to");
      const code = context.account.inbox.list({ to: number })[0]?.codes[0] ?? "";
      return { ...channelId(context), id: firstOf(context, "channel_codes", "id"), to: number, code };
    },
  }),
  providerState("an open identity question", {
    description: "A person was asked a question and has not answered",
    params: { ...to, question: Type.String(), expected: Type.String(), reference: Type.String() },
    values: { ...values, id: "The check's id" },
    given: (params) => ({ identity_checks: [params] }),
    finish: identityCheckIds,
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
