/** Messages as people would see them, by person. */
import { useMemo } from "preact/hooks";
import { firstCall } from "../../../../client/first-call.js";
import { call } from "../../api/control.js";
import { Copy } from "../../pieces/button.js";
import { formatTime } from "../../pieces/format.js";
import { Empty, Loaded, Split, Toolbar } from "../../pieces/layout.js";
import { StillRows } from "../../pieces/list.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere, route, setQuery } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";
import { channelNames, Phone } from "./phone.js";
import { namesOf, type Thread, toThreads } from "./threads.js";

const maxMessages = 500;

export function InboxScreen() {
  const messages = useResource(
    () => call("listMessages", { query: { limit: maxMessages } }),
    [],
    ofKinds("message"),
  );
  const people = useResource(() => call("listPeople"), [], ofKinds("control", "scenario"));
  const data = messages.data.value;
  const known = people.data.value;
  const threads = useMemo(() => toThreads(data?.items ?? [], namesOf(known?.items ?? [])), [data, known]);
  const { path, query } = route.value;
  const q = query.get("q") ?? "";
  const openId = path[0] ?? null;
  const shown = useMemo(() => threads.filter((thread) => matches(thread, q)), [threads, q]);
  const open = threads.find(({ id }) => id === openId);
  return (
    <Split
      list={
        <Loaded of={messages}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No messages yet" command={firstCall(baseUrl, serviceKey.value ?? "YOUR_KEY")}>
                <p>Send a code, and it appears here as it would on the person's phone:</p>
                <LoadDemo />
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
                <StillRows
                  key={q}
                  label="People with messages, the newest first"
                  items={shown}
                  isWhole={items.length < maxMessages}
                  openId={openId}
                  hrefOf={({ id }) => hrefHere(id)}
                  heights={[68, 90]}
                  beside={(thread) => <NewestCode thread={thread} />}
                >
                  {(thread) => <ThreadRow thread={thread} />}
                </StillRows>
              </>
            )
          }
        </Loaded>
      }
      detail={open && <Phone key={open.id} thread={open} />}
    />
  );
}

const matches = ({ id, name, messages }: Thread, q: string): boolean =>
  q === "" ||
  [id, name, ...messages.map(({ text }) => text)].join("\n").toLowerCase().includes(q.toLowerCase());

function ThreadRow({ thread: { id, name, channels, messages } }: { thread: Thread }) {
  const newest = messages[0];
  if (!newest) return null;
  return (
    <span class="thread">
      <b>{name ?? id}</b>
      <span class="thread-channel">
        {[...(name ? [id] : []), ...channels.map((channel) => channelNames[channel])].join(" · ")}
      </span>
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
