/** A person's messages in the shape of their phone, with what they can do: read codes, open links, reply. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { InboxMessage } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/client.js";
import { call } from "../../api/control.js";
import { Action, Copy } from "../../pieces/button.js";
import { formatDay, formatTime, isWebLink } from "../../pieces/format.js";
import { Icon } from "../../pieces/icons.js";
import { Detail } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";

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

/** Returns whether a party of a chat is a person, whose number is in digits, and not a channel. */
const isNumber = (party: string): boolean => /^\d+$/.test(party);

/** Returns whether the person wrote the message. */
const isFromPerson = ({ channel, to }: InboxMessage): boolean => channel === "chat" && !isNumber(to);

/** Returns a phone number in digits, as chats have it. */
const toDigits = (number: string): string => number.replace(/^\+/, "");

/** Returns the person of a message: a number with its plus sign, or an e-mail address. */
function personOf(message: InboxMessage): string {
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

export const channelNames = { sms: "SMS", chat: "Chat", email: "E-mail" } as const;

export function Phone({ thread }: { thread: Thread }) {
  const { id: person, name: known, channels, messages, chatChannel } = thread;
  const screen = useRef<HTMLOListElement>(null);
  const newest = messages[0];
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current) screen.current?.scrollTo({ top: screen.current.scrollHeight });
  }, [newest?.id]);
  const service = useResource(
    async () => (chatChannel ? await call("getRecord", { params: { id: chatChannel } }) : null),
    [chatChannel],
  );
  const name = service.data.value?.record.label ?? chatChannel;
  const oldestFirst = messages.toReversed();
  return (
    <Detail
      title={
        <>
          {known ?? person} {known && <span class="soft">{person}</span>}
        </>
      }
      back={hrefHere()}
    >
      <div class="phone">
        <p class="phone-head">{newest?.channel === "chat" ? `Chat with ${name}` : newest?.from}</p>
        <ol
          class="phone-screen"
          ref={screen}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          tabIndex={0}
          aria-label={`Messages of ${person}, oldest first`}
          aria-live="polite"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
          }}
        >
          {oldestFirst.map((message, index) => (
            <Bubble
              key={message.id}
              message={message}
              before={oldestFirst[index - 1]}
              isNamed={channels.length > 1}
            />
          ))}
        </ol>
        {chatChannel && <ReplyBox person={person} name={known ?? person} channel={chatChannel} />}
      </div>
    </Detail>
  );
}

interface BubbleProps {
  message: InboxMessage;
  before: InboxMessage | undefined;
  /** Whether its channel is named, since the person uses several. */
  isNamed: boolean;
}

function Bubble({ message, before, isNamed }: BubbleProps) {
  const { id, channel, text, codes, links, created_at } = message;
  const day = formatDay(created_at);
  const isNewDay = !before || formatDay(before.created_at) !== day;
  return (
    <li class={isFromPerson(message) ? "bubble-line own" : "bubble-line"}>
      {isNewDay && <p class="phone-day">{day}</p>}
      <div class="bubble">
        <p>{text}</p>
        {links.filter(isWebLink).map((link) => (
          <a key={link} href={link} target="_blank" rel="noreferrer">
            {link} <Icon name="external" />
          </a>
        ))}
      </div>
      {codes.map((code) => (
        <div class="code-large" key={code}>
          <output>{code}</output>
          <Copy text={code} label="Copy code" hasEdge />
        </div>
      ))}
      <p class="bubble-foot">
        <time dateTime={created_at}>{formatTime(created_at)}</time> ·{" "}
        {isNamed && `${channelNames[channel]} · `}
        <a href={href(["activity", id])}>why</a>
      </p>
    </li>
  );
}

function ReplyBox({ person, name, channel }: { person: string; name: string; channel: string }) {
  const text = useSignal("");
  const send = async () => {
    if (!text.value.trim()) return;
    await call("replyAsPerson", { body: { channel_id: channel, from: toDigits(person), text: text.value } });
    text.value = "";
  };
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      class="reply"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        form.current?.querySelector<HTMLButtonElement>("button")?.click();
      }}
    >
      <input
        type="text"
        aria-label={`Reply as ${name}`}
        placeholder="Reply as this person"
        value={text}
        maxLength={4096}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <Action run={send} look="primary" label="Send">
        <Icon name="reply" />
      </Action>
    </form>
  );
}
