/** Data of the control API that a component shows, and reads again when something has happened. */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ActivityEntry } from "../../../client/account/types.js";
import { listenLive } from "./live.js";

export interface Resource<T> {
  /** Null until it has been read. */
  readonly data: ReadonlySignal<T | null>;
  /** Error of the last read, or null. */
  readonly error: ReadonlySignal<Error | null>;
  /** Reads the data again. Calls during a read cause a single further read. */
  reload(): Promise<void>;
}

/** Minimum time between two reads, in ms: what arrives in between is read at once. */
const pauseMs = 300;

class Loader<T> implements Resource<T> {
  readonly data: Signal<T | null> = signal<T | null>(null);
  readonly error = signal<Error | null>(null);
  load: () => Promise<T> = () => Promise.reject(new Error("not set"));
  isActive = true;
  #running: Promise<void> | null = null;
  #isStale = false;

  reload(): Promise<void> {
    if (this.#running) this.#isStale = true;
    else this.#running = this.#run();
    return this.#running as Promise<void>;
  }

  async #run(): Promise<void> {
    do {
      this.#isStale = false;
      try {
        const data = await this.load();
        if (this.isActive) [this.data.value, this.error.value] = [data, null];
      } catch (error) {
        if (this.isActive) this.error.value = error as Error;
      }
      if (this.#isStale) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    } while (this.#isStale && this.isActive);
    this.#running = null;
  }
}

/**
 * Reads `load()` when the component appears, when `inputs` change, after a gap in the stream, and after activities that
 * match `isAbout`.
 *
 * @example const deliveries = useResource(() => call("listDeliveries", { query: { limit: 100 } }), [], ofKinds("event", "attempt"));
 */
export function useResource<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[] = [],
  isAbout: (activity: ActivityEntry) => boolean = () => false,
): Resource<T> {
  const loader = useMemo(() => new Loader<T>(), inputs);
  loader.load = load;
  const about = useRef(isAbout);
  about.current = isAbout;
  useEffect(() => {
    loader.isActive = true;
    loader.reload();
    const stop = listenLive({
      activities: (batch) => {
        if (batch.some((activity) => about.current(activity))) loader.reload();
      },
      gap: () => loader.reload(),
    });
    return () => {
      loader.isActive = false;
      stop();
    };
  }, [loader]);
  return loader;
}

/** Returns whether an activity is of one of these kinds. */
export const ofKinds =
  (...kinds: ActivityEntry["kind"][]) =>
  ({ kind }: ActivityEntry): boolean =>
    kinds.includes(kind);
