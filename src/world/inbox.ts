/** Messages that the service would have sent to people (SMS, chat and e-mail), kept for the tester to read. */
import type { AccountContext } from "./account-context.js";
import { Waiters } from "./waiters.js";

export type MessageChannel = "sms" | "chat" | "email";

export interface Message {
  id: string;
  channel: MessageChannel;
  to: string;
  from: string;
  text: string;
  /** One-time codes in the text. */
  codes: string[];
  links: string[];
  created_at: string;
}

export interface InboxFilter {
  /** Recipient. A number matches with and without its plus sign: SMS goes to E.164, chat to digits with country code. */
  to?: string;
  channel?: MessageChannel;
}

/** Maximum number of messages kept. */
export const inboxLimit = 10_000;

const table = "inbox";

const withoutPlus = (recipient: string): string => recipient.replace(/^\+/, "");

export class Inbox {
  readonly waiters = new Waiters<Message>();

  constructor(readonly account: AccountContext) {}

  /** Inside a commit. `codes` come from the sender, so that no reader has to find them in the text. */
  send(message: Omit<Message, "id" | "created_at" | "links">): Message {
    const { account } = this;
    const sent: Message = {
      id: account.random.id("msg_"),
      ...message,
      links: message.text.match(/https?:\/\/\S+/g) ?? [],
      created_at: account.clock.iso(),
    };
    account.state.put(table, sent.id, sent);
    account.activities.record("message", `${sent.channel} to ${sent.to}: ${sent.text}`, { message: sent.id });
    account.state.trim(table, inboxLimit);
    account.afterCommit(() => this.waiters.wake());
    return sent;
  }

  /** Inside a commit: adds a message that a person wrote to one of the account's channels. */
  receive(message: { channel_id: string; from: string; text: string }): Message {
    const { channel_id, from, text } = message;
    return this.send({ channel: "chat", to: channel_id, from, text, codes: [] });
  }

  /** Returns the messages, newest first. */
  list(filter: InboxFilter = {}): Message[] {
    return [...this.newest(filter)];
  }

  /** Returns the oldest message that no earlier wait with this filter has returned, or undefined. */
  take(filter: InboxFilter): Message | undefined {
    const query = `${filter.channel ?? ""}\0${withoutPlus(filter.to ?? "")}`;
    return this.waiters.take(query, this.newest(filter));
  }

  *newest({ to, channel }: InboxFilter = {}): Generator<Message> {
    const recipient = to === undefined ? undefined : withoutPlus(to);
    const containing = recipient === undefined ? "" : JSON.stringify(recipient).slice(1);
    for (const message of this.account.state.newest<Message>(table, containing)) {
      if (recipient !== undefined && withoutPlus(message.to) !== recipient) continue;
      if (channel === undefined || message.channel === channel) yield message;
    }
  }
}
