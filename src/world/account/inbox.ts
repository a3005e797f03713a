/** Messages that the service would have sent to people (SMS, chat and e-mail), kept for the tester to read. */

import { Waiters } from "../../time/waiters.js";
import type { AccountContext } from "../records/account-context.js";
import { table } from "../store/table.js";

export type MessageChannel = "sms" | "chat" | "email";

export interface Message {
  id: string;
  channel: MessageChannel;
  to: string;
  from: string;
  text: string;
  /** One-time codes contained in the text. */
  codes: string[];
  links: string[];
  created_at: string;
}

type NewMessage = Omit<Message, "id" | "created_at" | "links">;

export interface MessageFilter {
  /** Recipient. A number matches with and without its plus sign: SMS uses it, chat does not. */
  to?: string;
  channel?: MessageChannel;
}

/** Maximum number of messages kept. */
export const inboxLimit = 10_000;

export const messages = table<Message, "to" | "channel">("inbox", {
  index: ["to", "channel"],
  log: "messages of the inbox",
});

const channelNames: Readonly<Record<MessageChannel, string>> = {
  sms: "SMS",
  chat: "Chat message",
  email: "E-mail",
};

/** Returns a phone number with its plus sign, which chat leaves out. Other addresses stay as they are. */
const withPlus = (party: string): string => party.replace(/^(?=\d+$)/, "+");

const withoutPlus = (recipient: string): string => recipient.replace(/^\+/, "");

export class Inbox {
  readonly waiters = new Waiters<Message>();
  /** Texts that are not stored, by message id. They are lost when the account leaves memory. */
  readonly #unstored = new Map<string, string>();

  constructor(readonly account: AccountContext) {}

  /** Inside a commit: adds a message. The sender passes `codes`, so that readers need not parse the text. */
  send(message: NewMessage): Message {
    const { channel, to, text } = message;
    return this.#add(message, `${channelNames[channel]} to ${withPlus(to)}: ${text}`);
  }

  #add(message: NewMessage, title: string): Message {
    const { account } = this;
    const sent: Message = {
      id: account.random.id("msg_"),
      ...message,
      links: message.text.match(/https?:\/\/\S+/g) ?? [],
      created_at: account.clock.iso(),
    };
    account.state.put(messages, sent.id, sent);
    account.activities.record("message", title, { message: sent.id });
    account.state.trim(messages, inboxLimit);
    account.afterCommit(() => this.waiters.wake());
    return sent;
  }

  /**
   * Inside a commit: adds a message that a person sent to one of the account's channels. A text that must not reach the
   * disk stays in memory, and `stored` is kept in its place.
   */
  receive(message: { channel_id: string; from: string; text: string; stored?: string }): Message {
    const { channel_id, from, text, stored = text } = message;
    const isStored = stored === text;
    const received = this.#add(
      { channel: "chat", to: channel_id, from, text: stored, codes: [] },
      `${channelNames.chat} from ${withPlus(from)}: ${isStored ? text : "an answer, which is not shown"}`,
    );
    if (isStored) return received;
    this.account.afterCommit(() => this.#keepInMemory(received.id, text));
    return { ...received, text };
  }

  #keepInMemory(id: string, text: string): void {
    this.#unstored.set(id, text);
    const [oldest] = this.#unstored.keys();
    if (oldest !== undefined && this.#unstored.size > inboxLimit) this.#unstored.delete(oldest);
  }

  /** Returns a message as it is stored. */
  get(id: string): Message | undefined {
    return this.account.state.get(messages, id);
  }

  /** Returns the messages, newest first. */
  list(filter: MessageFilter = {}): Message[] {
    return [...this.newest(filter)];
  }

  /** Returns the oldest message that no earlier wait with this filter has returned, or undefined. */
  take(filter: MessageFilter): Message | undefined {
    const query = `${filter.channel ?? ""}\0${withoutPlus(filter.to ?? "")}`;
    return this.waiters.take(query, this.newest(filter), this.account.activities.log.begun);
  }

  /** Forgets the unstored texts of messages sent since this activity began, after a rewind has restored the records. */
  forgetSince(activity: number): void {
    this.waiters.forgetSince(activity);
    for (const id of this.#unstored.keys())
      if (!this.account.state.has(messages, id)) this.#unstored.delete(id);
  }

  *newest({ to, channel }: MessageFilter = {}): Generator<Message> {
    const recipients = to === undefined ? undefined : [withoutPlus(to), `+${withoutPlus(to)}`];
    for (const message of this.account.state.newest(messages, { to: recipients, channel })) {
      const text = this.#unstored.get(message.id);
      yield text === undefined ? message : { ...message, text };
    }
  }
}
