/** The account's clock, visible on every screen. */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../api/control.js";
import { Action } from "../pieces/button.js";
import { formatDay, formatLongDuration, formatTime, plural } from "../pieces/format.js";
import { Icon } from "../pieces/icons.js";
import { Tag } from "../pieces/layout.js";
import { notify } from "../pieces/toasts.js";
import { type ClockReading, clock, listenLive, setClock } from "../state/live.js";
import { useResource } from "../state/resource.js";
import { href } from "../state/route.js";
import { chosenAccount } from "../state/session.js";

/** Returns the account's time now, in ms. Null until the sandbox has sent it. */
export function useNow(): number | null {
  const ticks = useSignal(0);
  const state = clock.value;
  const isRunning = state?.mode === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      ticks.value++;
    }, 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  void ticks.value;
  if (!state) return null;
  return Date.parse(state.now) + (isRunning ? performance.now() - state.receivedAt : 0);
}

/** Number of jobs that the current advance has run, as the stream reports them. Null if the clock is not being advanced. */
const jobsRun = signal<number | null>(null);
/** Interval between reads of the clock during an advance, in ms. */
const pollIntervalMs = 300;

/** Advances the clock and reports how many jobs ran. Clock and count are shown as they move, since a day may take a while. */
export async function advance(to: { by: string } | { to: string }): Promise<void> {
  const polling = setInterval(() => call("getClock").then(setClock, () => undefined), pollIntervalMs);
  const ran = new Set<string>();
  const stopCounting = listenLive({
    activities(batch) {
      for (const { id, kind } of batch) if (kind === "job" || kind === "attempt") ran.add(id);
      jobsRun.value = ran.size;
    },
  });
  jobsRun.value = 0;
  try {
    await advanceAndNotify(to);
  } finally {
    clearInterval(polling);
    stopCounting();
    jobsRun.value = null;
  }
}

async function advanceAndNotify(to: { by: string } | { to: string }): Promise<void> {
  const { now, ran } = await call("advanceClock", { body: to });
  setClock(await call("getClock"));
  const what = ran.length === 0 ? "nothing was due" : `${plural(ran.length, "job")} ran`;
  notify(`It is now ${formatTime(now)} UTC on ${formatDay(now)}; ${what}.`);
}

/** Formats what is due next, and when: `in 4 s: The code for +2348031234567 expires.` */
export const formatNext = ({ next_due, next_job }: ClockReading, now: number): string =>
  next_due === null ? "nothing due" : `in ${formatLongDuration(Date.parse(next_due) - now)}: ${next_job}`;

const steps = [
  ["1m", "+1 min"],
  ["1h", "+1 h"],
  ["24h", "+24 h"],
] as const;

export function ClockBar() {
  // An activity may schedule a job, which the stream does not report.
  const read = useResource(
    () => call("getClock"),
    [chosenAccount.value],
    () => true,
  );
  const reading = read.data.value;
  useEffect(() => {
    if (reading) setClock(reading);
  }, [reading]);
  const now = useNow();
  const state = clock.value;
  if (!state || now === null) return <div class="clock" aria-busy="true" />;
  const iso = new Date(now).toISOString();
  const isRunning = state.mode === "running";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div class="clock" role="group" aria-label="Clock">
      <a class="clock-now" href={href(["clock"])} title="The account's clock, in UTC">
        <span class="soft clock-day">{formatDay(iso)}</span> <time dateTime={iso}>{formatTime(iso)}</time>
        {!isRunning && <Tag tone={state.mode === "paused" ? "wait" : "calm"}>{state.mode}</Tag>}
      </a>
      <span
        class="hint cut clock-due"
        role={jobsRun.value === null ? undefined : "status"}
        title={state.next_job ?? undefined}
      >
        {jobsRun.value === null
          ? formatNext(state, now)
          : `advancing: ${plural(jobsRun.value, "job")} so far`}
      </span>
      <div class="clock-steps">
        {steps.map(([by, text]) => (
          <Action key={by} run={() => advance({ by })} label={`${text}: advance the clock`}>
            {text}
          </Action>
        ))}
        <Action
          run={() => advance({ to: "next" })}
          disabled={state.next_due === null}
          label="next: advance the clock to the next due job"
        >
          next
        </Action>
        <Action
          run={async () =>
            setClock(await (isRunning ? call("freezeClock", { body: {} }) : call("resumeClock")))
          }
          look="plain"
          label={isRunning ? "Freeze the clock" : "Resume the clock"}
          title={isRunning ? "Freeze the clock" : "Resume the clock"}
        >
          <Icon name={isRunning ? "pause" : "play"} />
        </Action>
      </div>
    </div>
  );
}
