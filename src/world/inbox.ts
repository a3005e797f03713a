/** What the service would have sent to people: SMS, chat messages and e-mails, kept for the tester to read. */
import type { Account } from "./account.js";
import { Waits } from "./waits.js";

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
  /** A number counts with and without its plus sign: SMS goes to E.164, chat to digits with country code. */
  to?: string;
  channel?: MessageChannel;
}

/** Older messages leave when an account has more than these. */
export const inboxLimit = 10_000;

const table = "inbox";

const bare = (recipient: string): string => recipient.replace(/^\+/, "");

export class Inbox {
  readonly waits = new Waits<Message>();

  constructor(readonly account: Account) {}

  /** Inside a commit. Codes are those that the sender put in, so that a reader never has to guess. */
  send(message: Omit<Message, "id" | "created_at" | "links">): Message {
    const { account } = this;
    const sent: Message = {
      id: account.random.id("msg_"),
      ...message,
      links: message.text.match(/https?:\/\/\S+/g) ?? [],
      created_at: account.clock.iso(),
    };
    account.state.put(table, sent.id, sent);
    account.state.trim(table, inboxLimit);
    account.afterCommit(() => this.waits.wake());
    return sent;
  }

  /** Inside a commit: what a person wrote to one of the account's channels. */
  receive(message: { channel_id: string; from: string; text: string }): Message {
    const { channel_id, from, text } = message;
    return this.send({ channel: "chat", to: channel_id, from, text, codes: [] });
  }

  /** Newest first. */
  list(filter: InboxFilter = {}): Message[] {
    return [...this.#matching(filter)];
  }

  /** The oldest message that no wait with this filter was answered with; undefined while there is none. */
  take(filter: InboxFilter): Message | undefined {
    return this.waits.take(`${filter.channel ?? ""}\0${bare(filter.to ?? "")}`, this.#matching(filter));
  }

  *#matching({ to, channel }: InboxFilter): Generator<Message> {
    const recipient = to === undefined ? undefined : bare(to);
    const containing = recipient === undefined ? "" : JSON.stringify(recipient).slice(1);
    for (const message of this.account.state.newest<Message>(table, containing)) {
      if (recipient !== undefined && bare(message.to) !== recipient) continue;
      if (channel === undefined || message.channel === channel) yield message;
    }
  }
}
