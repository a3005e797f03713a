/** The screen of the clock: sets it to any time, and lists the jobs that it ran. */
import { useSignal } from "@preact/signals";
import { call } from "../../api/control.js";
import { advance, formatNext, useNow } from "../../frame/clock-bar.js";
import { Action } from "../../pieces/button.js";
import { Form, TextField } from "../../pieces/field.js";
import { formatDay, formatTime } from "../../pieces/format.js";
import { Empty, Loaded, Section } from "../../pieces/layout.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { clock, setClock } from "../../state/live.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href } from "../../state/route.js";

export function ClockScreen() {
  const now = useNow();
  const by = useSignal("90m");
  const at = useSignal("");
  const ran = useResource(
    () => call("listActivity", { query: { kind: "job", stories: true, limit: 50 } }),
    [],
    ofKinds("job"),
  );
  const iso = now === null ? null : new Date(now).toISOString();
  const forward = () => advance({ by: by.value });
  const freeze = async () => setClock(await call("freezeClock", { body: at.value ? { at: at.value } : {} }));
  return (
    <div class="page">
      <p class="soft clock-large">
        {iso && <time dateTime={iso}>{formatTime(iso)}</time>} <span>{iso && formatDay(iso)} UTC</span>
      </p>
      {clock.value && now !== null && <p class="soft">Due next: {formatNext(clock.value, now)}</p>}
      <div class="columns">
        <Form>
          <TextField
            label="Advance by"
            value={by}
            hint="Such as 90s, 1h30m or 7d. Everything due on the way runs."
            mono
          />
          <Action submits run={forward} look="primary">
            Advance
          </Action>
        </Form>
        <Form>
          <TextField
            label="Freeze at"
            value={at}
            placeholder={iso ?? ""}
            hint="An ISO 8601 time that is not in the past. Leave empty for now."
            mono
          />
          <Action submits run={freeze}>
            Freeze
          </Action>
        </Form>
      </div>
      <Section title="Jobs that ran" level={2}>
        <Loaded of={ran}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No job has run yet">
                <p>
                  Payments settle, links expire and webhooks are retried by jobs, when the clock reaches them.
                </p>
                <LoadDemo />
              </Empty>
            ) : (
              <nav class="history" aria-label="Jobs that ran">
                {items.map(({ id, at, title, story }) => (
                  <a key={id} href={href(["activity", id])}>
                    <time dateTime={at}>{formatTime(at)}</time>
                    <span class="grow">{story?.says ?? title}</span>
                  </a>
                ))}
              </nav>
            )
          }
        </Loaded>
      </Section>
    </div>
  );
}
