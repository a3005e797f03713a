/** Messages grouped by the person who has them. */
import type { InboxMessage } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/control-call.js";

export interface Thread {
  /** Phone number or e-mail address, which is also its place in the address. */
  readonly id: string;
  /** Name of the person, if the sandbox knows it. */
  readonly name: string | null;
  /** Newest first. */
  readonly messages: readonly InboxMessage[];
  /** The channels of the messages, each once. */
  readonly channels: readonly InboxMessage["channel"][];
  /** Id of the channel of the messaging app that the person used last, by which they can reply. */
  readonly chatChannel: string | null;
}

/** Chat goes between a channel's id and a person's number, in digits. */
const isNumber = (party: string): boolean => /^\d+$/.test(party);

/** Returns whether the person wrote the message. */
export const isFromPerson = ({ channel, to }: InboxMessage): boolean => channel === "chat" && !isNumber(to);

/** Returns a number as one who chats has it: in digits. */
export const toDigits = (number: string): string => number.replace(/^\+/, "");

/** Returns the person of a message: a number with its plus sign, or an e-mail address. */
export function personOf(message: InboxMessage): string {
  const party = isFromPerson(message) ? message.from : message.to;
  return isNumber(party) ? `+${party}` : party;
}

type Person = CallReply<"listPeople">["items"][number];

/** Returns the names of people by their phone numbers. */
export const namesOf = (people: readonly Person[]): ReadonlyMap<string, string> =>
  new Map(people.map((person) => [person.phone_number, `${person.first_name} ${person.last_name}`]));

/** Groups messages, the thread with the newest message first. */
export function toThreads(
  newestFirst: readonly InboxMessage[],
  names: ReadonlyMap<string, string>,
): Thread[] {
  const groups = new Map<string, InboxMessage[]>();
  for (const message of newestFirst) {
    const person = personOf(message);
    const group = groups.get(person);
    if (group) group.push(message);
    else groups.set(person, [message]);
  }
  return [...groups].map(([id, messages]) => {
    const chat = messages.find(({ channel }) => channel === "chat");
    return {
      id,
      name: names.get(id) ?? null,
      messages,
      channels: [...new Set(messages.map(({ channel }) => channel))],
      chatChannel: chat ? (isFromPerson(chat) ? chat.to : chat.from) : null,
    };
  });
}
