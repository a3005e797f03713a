/** What a channel remembers of a person: when they wrote last, the last code and the last question that they got. */
import type { Account } from "../../world/account.js";
import { hour } from "../../world/time/time.js";

export interface Chat {
  /** Ms on the account's clock; null: the person has never written. */
  last_message_at: number | null;
  code_id: string | null;
  question_id: string | null;
}

const table = "chats";
const keyOf = (channelId: string, person: string): string => `${channelId}:${person}`;

export const chatWith = (account: Account, channelId: string, person: string): Chat =>
  account.state.get<Chat>(table, keyOf(channelId, person)) ?? {
    last_message_at: null,
    code_id: null,
    question_id: null,
  };

/** Inside a commit. */
export const saveChat = (account: Account, channelId: string, person: string, chat: Chat): void =>
  account.state.put(table, keyOf(channelId, person), chat);

/** Interface: "only to people who messaged within 24 to 72 hours, depending on plan"; assumption channels.window. */
const replyWindow = { starter: 24 * hour, growth: 48 * hour, business: 72 * hour } as const;

/** The person may be written to, under the plan that the account has now. */
export const isWindowOpen = ({ clock, settings }: Account, { last_message_at }: Chat): boolean =>
  last_message_at !== null && clock.now() - last_message_at < replyWindow[settings.plan];
