/** Messages grouped by the person who has them. */
import type { InboxMessage } from "../../../../client/account/types.js";

export interface Thread {
  /** Channel and person, which is also its place in the address. */
  readonly id: string;
  readonly channel: InboxMessage["channel"];
  /** Phone number or e-mail address. */
  readonly person: string;
  /** Newest first. */
  readonly messages: readonly InboxMessage[];
  /** Id of the channel of the messaging app that the person talks to, by which they can reply. */
  readonly chatChannel: string | null;
}

/** Chat goes between a channel's id and a person's number, in digits. */
const isNumber = (party: string): boolean => /^\d+$/.test(party);

/** Returns whether the person wrote the message. */
export const isFromPerson = ({ channel, to }: InboxMessage): boolean => channel === "chat" && !isNumber(to);

/** Groups messages, the thread with the newest message first. */
export function toThreads(newestFirst: readonly InboxMessage[]): Thread[] {
  const groups = new Map<string, InboxMessage[]>();
  for (const message of newestFirst) {
    const person = isFromPerson(message) ? message.from : message.to;
    const id = `${message.channel}:${person}`;
    const group = groups.get(id);
    if (group) group.push(message);
    else groups.set(id, [message]);
  }
  return [...groups].map(([id, messages]) => {
    const [newest] = messages as [InboxMessage];
    const { channel } = newest;
    const [person, service] = isFromPerson(newest) ? [newest.from, newest.to] : [newest.to, newest.from];
    return { id, channel, person, messages, chatChannel: channel === "chat" ? service : null };
  });
}
