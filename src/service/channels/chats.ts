/** State of a channel per person: their last message, and the last code and question they were sent. */

import { hour } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";

export interface Chat {
  /** Ms on the account's clock; null if the person has never written. */
  last_message_at: number | null;
  code_id: string | null;
  question_id: string | null;
}

const chats = table<Chat>("chats");
const keyOf = (channelId: string, person: string): string => `${channelId}:${person}`;

export const chatWith = (account: Account, channelId: string, person: string): Chat =>
  account.state.get(chats, keyOf(channelId, person)) ?? {
    last_message_at: null,
    code_id: null,
    question_id: null,
  };

/** Call inside a commit. */
export const saveChat = (account: Account, channelId: string, person: string, chat: Chat): void =>
  account.state.put(chats, keyOf(channelId, person), chat);

/** Interface: "only to people who messaged within 24 to 72 hours, depending on plan"; assumption channels.window. */
const replyWindows = { starter: 24 * hour, growth: 48 * hour, business: 72 * hour } as const;

/** Returns whether the person may be messaged under the account's current plan. */
export const isWindowOpen = ({ clock, settings }: Account, { last_message_at }: Chat): boolean =>
  last_message_at !== null && clock.now() - last_message_at < replyWindows[settings.plan];
