/** Everything that happened, live; each row opens what caused it and what it caused. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { firstCall } from "../../../first-call.js";
import type { ActivityEntry } from "../../../library/types.js";
import { control } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Empty, Split, Toolbar } from "../../pieces/layout.js";
import { List, NewItems } from "../../pieces/list.js";
import { listenLive } from "../../state/live.js";
import { LiveList } from "../../state/live-list.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";
import { notify } from "../../state/toasts.js";
import { Explanation } from "./explanation.js";
import { type ActivityFilter, Filters, isFiltered } from "./filters.js";
import { ActivityRow } from "./row.js";
import { TryRequest } from "./try-request.js";

const pageSize = 200;

/** Returns the live list of what the filter lets through. */
function useActivities(filter: ActivityFilter) {
  const key = JSON.stringify(filter);
  const list = useMemo(() => new LiveList<ActivityEntry>(), []);
  const next = useSignal<string | null>(null);
  const isLoaded = useSignal(false);
  // Whether a filter lets an activity through is the sandbox's to say: what is new is asked for.
  const page = useResource(
    () => control.activity({ ...filter, limit: pageSize }),
    [key],
    () => isFiltered(filter),
  );
  const isFresh = useSignal(true);
  useEffect(() => {
    isFresh.value = true;
    isLoaded.value = false;
  }, [key]);
  const read = page.data.value;
  useEffect(() => {
    if (!read) return;
    const known = new Set(list.items.value.map(({ id }) => id));
    const follows = !isFresh.value && read.items.some(({ id }) => known.has(id));
    if (follows) list.merge(read.items.toReversed());
    else {
      list.replace(read.items);
      next.value = read.next;
    }
    isFresh.value = false;
    isLoaded.value = true;
  }, [read]);
  useEffect(
    () =>
      listenLive({
        activities: (batch) => {
          if (!isFiltered(filter)) list.merge(batch);
        },
        gap: () => {
          isFresh.value = true;
        },
      }),
    [key],
  );
  const loadOlder = async () => {
    if (next.value === null) return;
    const older = await control.activity({ ...filter, limit: pageSize, before: next.value });
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

export function Activity() {
  const { path, query } = route.value;
  const status = Number(query.get("status"));
  const filter: ActivityFilter = {
    kind: (query.get("kind") ?? undefined) as ActivityFilter["kind"],
    operation: query.get("operation") ?? undefined,
    status: status > 0 ? status : undefined,
    q: query.get("q") ?? undefined,
  };
  const { list, isLoaded, error, hasOlder, loadOlder } = useActivities(filter);
  const openId = path[0] ?? null;
  const items = list.items.value;
  return (
    <Split
      list={
        <>
          <Toolbar>
            <Filters filter={filter} />
            <a class="button" href={href(["activity", "try"])}>
              Try a request
            </a>
          </Toolbar>
          {error && items.length === 0 && (
            <p class="problem" role="alert">
              {error.message}
            </p>
          )}
          {isLoaded && items.length === 0 ? (
            isFiltered(filter) ? (
              <Empty title="Nothing matches these filters" />
            ) : (
              <FirstSteps />
            )
          ) : (
            <div class="list-frame">
              <NewItems list={list} />
              <List
                label="Activities, newest first"
                items={items}
                openId={openId}
                hrefOf={({ id }) => hrefHere(id)}
                onRead={(isRead) => list.pin(isRead)}
                end={hasOlder && <Action run={loadOlder}>Show older</Action>}
              >
                {(activity) => <ActivityRow activity={activity} />}
              </List>
            </div>
          )}
        </>
      }
      detail={
        openId === "try" ? <TryRequest id={path[1]} /> : openId && <Explanation key={openId} id={openId} />
      }
    />
  );
}

/** What an account without any activity can begin with. */
function FirstSteps() {
  const scenarios = useResource(control.scenarios);
  const hasDemo = scenarios.data.value?.items.some(({ name }) => name === "demo-day");
  return (
    <Empty title="Nothing has happened yet" command={firstCall(baseUrl, serviceKey.value ?? "YOUR_KEY")}>
      <p>Send a request to the sandbox, and it appears here with everything that it causes:</p>
      {hasDemo && (
        <p>
          <Action run={loadDemo} look="primary">
            Load demo day
          </Action>
        </p>
      )}
    </Empty>
  );
}

async function loadDemo(): Promise<void> {
  await control.loadScenario("demo-day");
  notify("Demo day is loaded: it plays by itself.");
}
