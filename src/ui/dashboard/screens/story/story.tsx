/** A story that fills the screen, step by step, with the phone and the receiver beside it: for demos. */
import { useEffect, useRef } from "preact/hooks";
import type { ActivityEntry } from "../../../../client/account/types.js";
import {
  formatClock,
  formatLabel,
  isPause,
  type Story,
  type StoryStep,
  tell,
} from "../../../../documents/story/story.js";
import { placesOf } from "../../../../documents/story/svg.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Icon } from "../../pieces/icons.js";
import { Empty, Loaded } from "../../pieces/layout.js";
import { StoryPicture } from "../../pieces/story-picture.js";
import { useResource } from "../../state/resource.js";
import { go, href, route, setQuery } from "../../state/route.js";
import { StoryPhone } from "./story-phone.js";
import { StoryReceiver } from "./story-receiver.js";

/** Maximum number of activities of an account that are told. */
const maxTold = 300;

/** Reads the activities of a story, each before its effects: those about `id`, or the last ones of the account. */
async function readStory(id: string | undefined): Promise<readonly ActivityEntry[]> {
  if (id === undefined) {
    const { items } = await call("listActivity", { query: { limit: maxTold } });
    return items.toReversed();
  }
  const { causes, activity, effects } = await call("explainActivity", { params: { id } });
  return [...causes, activity, ...effects];
}

export default function StoryScreen() {
  const id = route.value.path[0];
  const read = useResource(
    () => readStory(id),
    [id],
    () => true,
  );
  const close = href(id === undefined ? ["activity"] : ["activity", id]);
  return (
    <div class="stage">
      <Loaded of={read}>
        {(entries) => {
          const story = tell(entries);
          return story.rows.length === 0 ? (
            <Empty title="There is no story yet">
              <p>
                Nothing has happened on this account. <a href={close}>Back to the activity</a>
              </p>
            </Empty>
          ) : (
            <Stage story={story} entries={entries} close={close} />
          );
        }}
      </Loaded>
    </div>
  );
}

interface StageProps {
  story: Story;
  entries: readonly ActivityEntry[];
  /** Address of what the story was opened from. */
  close: string;
}

function Stage({ story, entries, close }: StageProps) {
  const box = useRef<HTMLElement>(null);
  const places = story.rows.flatMap((row, place) => (isPause(row) ? [] : [place]));
  const asked = Number(route.value.query.get("step")) || 1;
  const number = Math.min(Math.max(Math.floor(asked), 1), places.length);
  const place = places[number - 1] as number;
  const step = story.rows[place] as StoryStep;
  const goTo = (next: number) => {
    if (next >= 1 && next <= places.length) setQuery({ step: String(next) });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => goTo(number + 1),
    ArrowLeft: () => goTo(number - 1),
    Home: () => goTo(1),
    End: () => goTo(places.length),
    Escape: () => go(close),
  };
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = event.altKey || event.ctrlKey || event.metaKey ? undefined : latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    // The picture scrolls with the same keys, and the page closes what is open with Escape.
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, []);
  useEffect(() => {
    box.current?.querySelector(".now")?.scrollIntoView({ block: "center", inline: "nearest" });
  }, [place]);
  const shown = new Set(story.rows.slice(0, place + 1).flatMap((row) => (isPause(row) ? [] : [...row.ids])));
  const past = entries.filter(({ id }) => shown.has(id));
  return (
    <>
      <header class="stage-head">
        <p class="grow" aria-live="polite">
          <time>{formatClock(step.from)}</time>
          {step.lines.map((line, index) => (
            <span key={index} class={`stage-line ${line.tone}`}>
              <small>{line.from === line.to ? line.from : `${line.from} to ${line.to}`}</small>{" "}
              {formatLabel(line, step)}
            </span>
          ))}
        </p>
        <nav class="actions" aria-label="Steps">
          <span class="soft stage-count">{`${number} of ${places.length}`}</span>
          <Action run={() => goTo(number - 1)} disabled={number === 1} title="Back (left arrow)">
            Back
          </Action>
          <Action
            run={() => goTo(number + 1)}
            disabled={number === places.length}
            look="primary"
            title="Next (right arrow)"
          >
            Next
          </Action>
          <a class="button plain" href={close} aria-label="Close the story" title="Close (Esc)">
            <Icon name="close" />
          </a>
        </nav>
      </header>
      <section class="stage-picture" ref={box} aria-label="Story">
        <p class="stage-lanes" aria-hidden="true">
          {placesOf(story).map(({ lane, share }) => (
            <b key={lane} style={{ left: `${share * 100}%` }}>
              {lane}
            </b>
          ))}
        </p>
        <StoryPicture story={story} title="Story" now={place} />
      </section>
      <aside class="stage-sides" aria-label="Phone and receiver">
        <StoryPhone past={past} />
        <StoryReceiver past={past} />
      </aside>
    </>
  );
}
