/** The phone of the person who got or wrote the last message of a story so far. */
import type { ActivityEntry, InboxMessage } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { formatTime } from "../../pieces/format.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { isFromPerson, namesOf, personOf } from "../inbox/threads.js";

const maxMessages = 500;
/** Number of messages that the phone has room for. */
const roomFor = 4;

async function readMessages() {
  const [messages, people] = await Promise.all([
    call("listMessages", { query: { limit: maxMessages } }),
    call("listPeople"),
  ]);
  return { messages: new Map(messages.items.map((one) => [one.id, one])), names: namesOf(people.items) };
}

/** `past`: what has happened so far, oldest first. */
export function StoryPhone({ past }: { past: readonly ActivityEntry[] }) {
  const read = useResource(readMessages, [], ofKinds("message")).data.value;
  const told = past.flatMap(({ refs }): InboxMessage[] => {
    const message = refs.message === undefined ? undefined : read?.messages.get(refs.message);
    return message ? [message] : [];
  });
  const last = told.at(-1);
  if (!read || !last) return <p class="stage-empty soft">No message so far.</p>;
  const person = personOf(last);
  const shown = told.filter((message) => personOf(message) === person).slice(-roomFor);
  return (
    <section class="stage-phone" aria-label={`Phone of ${person}`}>
      <p class="phone-head">{read.names.get(person) ?? person}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <ol class="phone-screen" tabIndex={0} aria-label={`Messages of ${person}, oldest first`}>
        {shown.map((message) => (
          <li key={message.id} class={isFromPerson(message) ? "bubble-line own" : "bubble-line"}>
            <div class="bubble">
              <p>{message.text}</p>
            </div>
            <p class="bubble-foot">{formatTime(message.created_at)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
