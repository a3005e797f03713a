/** Follows the account's stream, reconnects automatically, and passes on what arrived once per animation frame. */
import { effect, signal } from "@preact/signals";
import type { ActivityEntry, ClockState } from "../../../client/account/types.js";
import { ControlError, readActivity, type StreamEvent } from "../../../client/client.js";
import { controlClient } from "../api/control.js";
import { adminToken, askToSignIn, chosenAccount, isSignInNeeded } from "./session.js";

/** `gone`: the account does not exist, for example since a sandbox without storage was restarted. */
export type Connection = "connecting" | "live" | "offline" | "gone";
export const connection = signal<Connection>("connecting");

/** The last state of the clock that the sandbox sent, and when it arrived on the page's clock. */
export type ClockReading = ClockState & { receivedAt: number };
export const clock = signal<ClockReading | null>(null);

export function setClock(state: ClockState): void {
  clock.value = { ...state, receivedAt: performance.now() };
}

export interface LiveListener {
  /** Called with new and changed activities, oldest first, each once. */
  activities?(batch: readonly ActivityEntry[]): void;
  /** Called when activities were missed, so that all data has to be read again. */
  gap?(): void;
}

const listeners = new Set<LiveListener>();

/** Adds a listener. Returns a function that removes it. */
export function listenLive(listener: LiveListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Maximum number of pending activities. A page in the background draws no frames: beyond this, it reads everything again once it is shown. */
const maxPending = 2_000;
let pending = new Map<string, ActivityEntry>();
let hasGap = false;
let isScheduled = false;

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(flush);
}

function flush(): void {
  isScheduled = false;
  const batch = [...pending.values()];
  pending = new Map();
  if (hasGap) {
    hasGap = false;
    for (const listener of listeners) listener.gap?.();
  } else for (const listener of listeners) listener.activities?.(batch);
}

function receive({ event, data }: StreamEvent): void {
  if (event === "clock") return setClock(data as ClockState);
  if (event === "activity" && !hasGap) pending.set((data as ActivityEntry).id, data as ActivityEntry);
  if (event === "gap" || pending.size > maxPending) {
    pending.clear();
    hasGap = true;
  }
  schedule();
}

const firstDelayMs = 250;
const maxDelayMs = 4_000;

/** Follows the stream until `signal` aborts. Continues after interruptions. */
async function follow(signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined;
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    let isGone = false;
    const token = adminToken.value;
    try {
      for await (const event of readActivity(controlClient(), { signal, lastEventId })) {
        connection.value = "live";
        delayMs = firstDelayMs;
        if (event.id) lastEventId = event.id;
        receive(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ControlError && error.code === "admin_token_required") {
        // A change of the token restarts the stream.
        return void askToSignIn(token);
      }
      isGone = error instanceof ControlError && error.code === "resource_not_found";
    }
    if (signal.aborted) return;
    connection.value = isGone ? "gone" : "offline";
    // The first event after a restart says what was missed. Without an earlier event, everything was missed.
    lastEventId ??= "none-0";
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(delayMs * 2, maxDelayMs);
  }
}

/** Follows the stream of the chosen account, and switches when another one is chosen. */
export function startFollowing(): void {
  effect(() => {
    // Read here, so that a change of either restarts the stream.
    if (isSignInNeeded.value) return;
    void [chosenAccount.value, adminToken.value];
    const controller = new AbortController();
    connection.value = "connecting";
    clock.value = null;
    pending.clear();
    follow(controller.signal);
    return () => controller.abort();
  });
}
