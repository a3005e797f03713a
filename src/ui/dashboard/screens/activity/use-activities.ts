/** The live list of activities that a filter lets through. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ActivityEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { listenLive } from "../../state/live.js";
import { LiveList, liveLimit } from "../../state/live-list.js";
import { useResource } from "../../state/resource.js";
import { isFiltered, type ShownFilter } from "./filters.js";

const pageSize = 200;

export function useActivities(filter: ShownFilter) {
  const key = JSON.stringify(filter);
  const list = useMemo(() => new LiveList<ActivityEntry>(), [key]);
  const next = useSignal<string | null>(null);
  /** Whether the list has been read. What arrives before that is kept, since the reply may not have it. */
  const isLoaded = useSignal(false);
  const early = useRef<readonly ActivityEntry[]>([]);
  useMemo(() => {
    isLoaded.value = false;
    early.current = [];
  }, [key]);
  // The sandbox applies the filter, so new activities are requested from it.
  const page = useResource(
    () => call("listActivity", { query: { ...filter, limit: pageSize } }),
    [key],
    ({ refs }) => isFiltered(filter) || refs.operation === "rewindAccount",
  );
  const read = page.data.value;
  useEffect(() => {
    if (!read) return;
    if (continues(list.items.value, read.items)) list.merge(read.items.toReversed());
    else {
      list.replace(read.items);
      list.merge(early.current);
      next.value = read.next;
    }
    early.current = [];
    isLoaded.value = true;
  }, [read]);
  useEffect(
    () =>
      listenLive({
        activities(batch) {
          if (isFiltered(filter)) return;
          if (isLoaded.value) list.merge(batch);
          else early.current = [...early.current, ...batch].slice(-liveLimit);
        },
      }),
    [key],
  );
  const loadOlder = async () => {
    if (next.value === null) return;
    const older = await call("listActivity", { query: { ...filter, limit: pageSize, before: next.value } });
    list.append(older.items);
    next.value = older.next;
  };
  return {
    list,
    isLoaded: isLoaded.value,
    error: page.error.value,
    hasOlder: next.value !== null,
    loadOlder,
  };
}

/**
 * Returns whether what was read continues what is shown. It does not if they have nothing in common, or if activities that
 * are shown are gone, as after a rewind. Both are newest first.
 */
function continues(shown: readonly ActivityEntry[], read: readonly ActivityEntry[]): boolean {
  const ids = new Set(read.map(({ id }) => id));
  const first = shown.findIndex(({ id }) => ids.has(id));
  const newest = shown[first];
  if (!newest) return false;
  const last = shown.findLastIndex(({ id }) => ids.has(id));
  if (shown.slice(first, last).some(({ id }) => !ids.has(id))) return false;
  // The stream is in order, so that only one of them can be ahead.
  return first === 0 || read[0]?.id === newest.id;
}
