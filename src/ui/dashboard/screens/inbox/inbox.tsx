/** The screen of messages, grouped by person and shown as people would see them. */
import { firstCall } from "../../../../client/first-call.js";
import { call } from "../../api/control.js";
import { Copy } from "../../pieces/button.js";
import { formatTime } from "../../pieces/format.js";
import { Empty } from "../../pieces/layout.js";
import { FilterText, ListScreen } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere, route } from "../../state/route.js";
import { baseUrl, chosenAccount, serviceKey } from "../../state/session.js";
import { channelNames, namesOf, Phone, type Thread, toThreads } from "./phone.js";

const maxMessages = 500;

async function readThreads() {
  const [messages, people] = await Promise.all([
    call("listMessages", { query: { limit: maxMessages } }),
    call("listPeople"),
  ]);
  return { items: toThreads(messages.items, namesOf(people.items)) };
}

export function InboxScreen() {
  const [open = null] = route.value.path;
  const read = useResource(readThreads, [chosenAccount.value], ofKinds("message", "control", "scenario"));
  const opened = read.data.value?.items.find(({ id }) => id === open);
  return (
    <ListScreen
      of={read}
      label="People with messages, the newest first"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      toolbar={<FilterText label="Search people and messages" placeholder="Filter by person or text  /" />}
      textOf={({ id, name, messages }) => [id, name, ...messages.map(({ text }) => text)].join(" ")}
      beside={(thread) => <NewestCode thread={thread} />}
      empty={<NoMessages />}
      detail={() => opened && <Phone key={opened.id} thread={opened} />}
    >
      {(thread) => <ThreadRow thread={thread} />}
    </ListScreen>
  );
}

const NoMessages = () => (
  <Empty title="No messages yet" command={firstCall(baseUrl, serviceKey.value ?? "YOUR_KEY")}>
    <p>Send a code, and it appears here as it would on the person's phone:</p>
    <LoadDemo />
  </Empty>
);

function ThreadRow({ thread: { id, name, channels, messages } }: { thread: Thread }) {
  const newest = messages[0];
  if (!newest) return null;
  return (
    <span class="thread">
      <b class="cut">{name ?? id}</b>
      <span class="hint">
        {[...(name ? [id] : []), ...channels.map((channel) => channelNames[channel])].join(" · ")}
      </span>
      <time dateTime={newest.created_at}>{formatTime(newest.created_at)}</time>
      <span class="soft cut thread-text">{newest.text}</span>
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
