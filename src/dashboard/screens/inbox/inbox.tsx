/** Messages as people would see them, by person. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { firstCall } from "../../../first-call.js";
import { control } from "../../api/control.js";
import { Copy } from "../../pieces/button.js";
import { formatTime } from "../../pieces/format.js";
import { Empty, Loaded, Split, Toolbar } from "../../pieces/layout.js";
import { List, NewItems } from "../../pieces/list.js";
import { LiveList } from "../../state/live-list.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere, route, setQuery } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";
import { Phone } from "./phone.js";
import { type Thread, toThreads } from "./threads.js";

const maxMessages = 500;

const channelNames = { sms: "SMS", chat: "Chat", email: "E-mail" } as const;

/** Returns the threads as a list that does not move while somebody reads it. */
function useThreads(threads: readonly Thread[] | null) {
  const list = useMemo(() => new LiveList<Thread>(), []);
  useEffect(() => {
    if (!threads) return;
    if (list.isPinned) list.merge(threads.toReversed());
    else list.replace(threads);
  }, [threads]);
  return list;
}

export function Inbox() {
  const messages = useResource(() => control.messages({ limit: maxMessages }), [], ofKinds("message"));
  const data = messages.data.value;
  const threads = useMemo(() => (data ? toThreads(data.items) : null), [data]);
  const list = useThreads(threads);
  const { path, query } = route.value;
  const q = query.get("q") ?? "";
  const openId = path[0] ?? null;
  const isRead = useSignal(false);
  const shown = list.items.value.filter((thread) => matches(thread, q));
  const open = threads?.find(({ id }) => id === openId) ?? null;
  return (
    <Split
      list={
        <Loaded of={messages}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No messages yet" command={firstCall(baseUrl, serviceKey.value ?? "YOUR_KEY")}>
                <p>Send a code, and it appears here as it would on the person's phone:</p>
              </Empty>
            ) : (
              <>
                <Toolbar>
                  <search class="filters">
                    <input
                      type="search"
                      data-filter
                      class="filter-text"
                      placeholder="Filter by person or text  /"
                      aria-label="Search people and messages"
                      value={q}
                      onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
                    />
                  </search>
                </Toolbar>
                <div class="list-frame">
                  <NewItems list={list} />
                  <List
                    label="People with messages, the newest first"
                    items={shown}
                    openId={openId}
                    hrefOf={({ id }) => hrefHere(id)}
                    heights={[68, 68]}
                    onRead={(now) => {
                      isRead.value = now;
                      list.pin(now);
                      if (!now && threads) list.replace(threads);
                    }}
                    beside={(thread) => <NewestCode thread={thread} />}
                  >
                    {(thread) => <ThreadRow thread={thread} />}
                  </List>
                </div>
              </>
            )
          }
        </Loaded>
      }
      detail={open && <Phone key={open.id} thread={open} />}
    />
  );
}

const matches = ({ person, messages }: Thread, q: string): boolean =>
  q === "" ||
  [person, ...messages.map(({ text }) => text)].join("\n").toLowerCase().includes(q.toLowerCase());

function ThreadRow({ thread: { person, channel, messages } }: { thread: Thread }) {
  const newest = messages[0];
  if (!newest) return null;
  return (
    <span class="thread">
      <b>{person}</b>
      <span class="thread-channel">{channelNames[channel]}</span>
      <time dateTime={newest.created_at}>{formatTime(newest.created_at)}</time>
      <span class="thread-text">{newest.text}</span>
    </span>
  );
}

/** The code of the newest message, to copy without opening it. */
function NewestCode({ thread: { messages } }: { thread: Thread }) {
  const code = messages[0]?.codes[0];
  return code ? (
    <span class="thread-code">
      <Copy text={code} label={code} hasEdge />
    </span>
  ) : null;
}
