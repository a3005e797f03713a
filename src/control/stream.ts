/** The live stream of an account's activities, as server-sent events. */
import { controlRoutes } from "../contract/control-routes.js";
import { formatServerEvent, Stream, type StreamTarget } from "../contract/reply-forms.js";
import { second, timer } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";
import { viewClock } from "./clock.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { viewActivity } from "./view-activity.js";

/** Maximum number of missed activities that are sent to a reader. If it has missed more, it gets a `gap` instead. */
const maxReplayed = 2_000;

export const streamActivity = operation({
  id: "streamActivity",
  summary: "Follow the account's activities and clock live, as server-sent events",
  description: [
    `Event \`activity\`: an activity, as in \`${controlRoutes.listActivity}\`. It is sent again when it has changed, such as a request that has been answered.`,
    `Event \`clock\`: the clock, as in \`${controlRoutes.getClock}\`, at the start and whenever it is set.`,
    `Event \`gap\`: activities are missing, because the reader was too slow or away for too long, or because the account was reset. Read \`${controlRoutes.listActivity}\` again.`,
    "A request with `Last-Event-ID` continues after that event. A comment is sent every 15 s.",
  ].join("\n\n"),
  reply: { 200: { contentType: "text/event-stream" } },
  handle: ({ account, headers, sandbox }) =>
    new Stream("text/event-stream", (response) => {
      const last = headers["last-event-id"];
      new ActivityStream(account, sandbox, response).start(typeof last === "string" ? last : null);
    }),
});

/** Writes to one reader. Nothing is buffered while the reader is behind: it catches up from the log. */
class ActivityStream {
  readonly #log;
  /** Number of the last publication that was written. */
  #last: number;
  #isWaiting = false;
  /** Whether the clock was set while the reader was behind. */
  #isClockStale = false;

  constructor(
    readonly account: Account,
    readonly sandbox: ControlledSandbox,
    readonly response: StreamTarget,
  ) {
    this.#log = account.activities.log;
    this.#last = this.#log.count;
  }

  start(lastEventId: string | null): void {
    const { response } = this;
    const stop = this.#log.listen({
      published: (activity) => {
        if (!this.#isWaiting) this.#writeActivity(activity);
      },
      clockSet: () => this.#writeClock(),
      cleared: () => this.#writeGap(),
      ended: () => response.end(),
    });
    response.on("drain", () => {
      this.#isWaiting = false;
      this.#catchUp();
      if (this.#isClockStale) this.#writeClock();
    });
    const endHeartbeat = keepAlive((comment) => {
      if (!this.#isWaiting) this.#write(comment);
    });
    response.on("close", () => {
      stop();
      endHeartbeat();
    });
    if (lastEventId !== null) this.#resume(lastEventId);
    this.#writeClock();
  }

  #resume(lastEventId: string): void {
    const [log, number] = lastEventId.split("-");
    if (log !== this.#log.id || !/^\d{1,15}$/.test(number ?? "")) return this.#writeGap();
    this.#last = Math.min(Number(number), this.#log.count);
    this.#catchUp();
  }

  #catchUp(): void {
    if (this.#last === this.#log.count) return;
    const missed = this.#last < this.#log.droppedUpTo ? null : this.#log.since(this.#last);
    if (missed === null || missed.length > maxReplayed) return this.#writeGap();
    for (const activity of missed) {
      if (this.#isWaiting) return;
      this.#writeActivity(activity);
    }
  }

  #writeActivity(activity: Activity): void {
    this.#last = activity.published;
    this.#writeEvent("activity", viewActivity(activity, this.sandbox));
  }

  #writeClock(): void {
    this.#isClockStale = this.#isWaiting;
    if (!this.#isWaiting)
      this.#write(formatServerEvent("clock", viewClock(this.account, this.sandbox.world)));
  }

  #writeGap(): void {
    if (this.#isWaiting) return;
    this.#last = this.#log.count;
    this.#writeEvent("gap", {});
  }

  #writeEvent(name: string, data: object): void {
    this.#write(formatServerEvent(name, data, `${this.#log.id}-${this.#last}`));
  }

  #write(text: string): void {
    this.#isWaiting = !this.response.write(text);
  }
}

/** Interval of the comments that keep a stream open: proxies close connections on which nothing is sent. */
const heartbeatMs = 15 * second;

/** Calls `write` with a comment every 15 s of wall-clock time. Returns a function that stops it. */
export function keepAlive(write: (comment: string) => void): () => void {
  const beat = () =>
    timer(heartbeatMs, () => {
      write(":\n\n");
      next = beat();
    });
  let next = beat();
  return () => next.cancel();
}
