/** What the service would have sent to people: SMS, chat messages and e-mails, kept for the tester to read. */
import type { Account } from "./account.js";

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
  /** Waits for a message, and for each filter the last message that a wait was answered with. */
  readonly #waiting = new Set<() => void>();
  readonly #handedOut = new Map<string, string>();

  ended = false;

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
    account.afterCommit(() => this.#wake());
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
    const key = `${filter.channel ?? ""}\0${bare(filter.to ?? "")}`;
    const last = this.#handedOut.get(key);
    let oldest: Message | undefined;
    for (const message of this.#matching(filter)) {
      if (message.id === last) break;
      oldest = message;
    }
    if (oldest) this.#handedOut.set(key, oldest.id);
    return oldest;
  }

  /** Called back once at the next message; the returned function stops waiting. */
  onNext(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  get waitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  /** Nothing more is waited for: the sandbox stops. */
  endWaits(): void {
    this.ended = true;
    this.#wake();
  }

  forget(): void {
    this.#handedOut.clear();
  }

  *#matching({ to, channel }: InboxFilter): Generator<Message> {
    const recipient = to === undefined ? undefined : bare(to);
    const containing = recipient === undefined ? "" : JSON.stringify(recipient).slice(1);
    for (const message of this.account.state.newest<Message>(table, containing)) {
      if (recipient !== undefined && bare(message.to) !== recipient) continue;
      if (channel === undefined || message.channel === channel) yield message;
    }
  }

  #wake(): void {
    const callbacks = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of callbacks) callback();
  }
}
