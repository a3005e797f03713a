/** A live list of all activities. Each row opens the causes and effects of its activity. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { firstCall } from "../../../../client/first-call.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Empty, Split, Toolbar } from "../../pieces/layout.js";
import { List, NewItems } from "../../pieces/list.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { saveJson } from "../../pieces/save-file.js";
import { href, hrefHere, route } from "../../state/route.js";
import { accounts, baseUrl, serviceKey, shownAccount } from "../../state/session.js";
import { ConductLink, useConduct } from "../conduct/conduct.js";
import { ExplanationPanel } from "./explanation.js";
import { Filters, isFiltered, type ShownFilter } from "./filters.js";
import { toGroups } from "./groups.js";
import { ActivityRow } from "./row.js";
import { TryRequest } from "./try-request.js";
import { useActivities } from "./use-activities.js";

export function ActivityScreen() {
  const { path, query } = route.value;
  const status = Number(query.get("status"));
  const filter: ShownFilter = {
    kind: (query.get("kind") || undefined) as ShownFilter["kind"],
    operation: query.get("operation") || undefined,
    status: status > 0 ? status : undefined,
    q: query.get("q") || undefined,
  };
  const { list, isLoaded, error, hasOlder, loadOlder } = useActivities(filter);
  const conduct = useConduct().data.value?.findings ?? [];
  const proofs = new Set(conduct.flatMap(({ evidence }) => evidence));
  const isRead = useRef(false);
  useLayoutEffect(() => list.pin(isRead.current), [list]);
  const openId = path[0] ?? null;
  const items = list.items.value;
  const { rows, depths } = useMemo(() => toGroups(items), [items]);
  return (
    <Split
      list={
        <>
          <Toolbar>
            <Filters filter={filter} />
            <ConductLink findings={conduct} />
            <a class="button" href={href(["activity", "try"])} aria-label="Try a request">
              Try<span class="wide-only"> a request</span>
            </a>
            <span class="wide-only">
              <Action run={saveHar} title="Save the last 1,000 requests as an HTTP archive, without secrets">
                HAR
              </Action>
            </span>
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
                label="Activities, newest first, each with what it caused below it"
                items={rows}
                openId={openId}
                heights={[36, 72]}
                hrefOf={({ id }) => hrefHere(id)}
                onRead={(now) => {
                  isRead.current = now;
                  list.pin(now);
                }}
                end={hasOlder && <Action run={loadOlder}>Show older</Action>}
              >
                {(activity) => (
                  <ActivityRow
                    activity={activity}
                    isProof={proofs.has(activity.id)}
                    depth={depths.get(activity.id) ?? 0}
                  />
                )}
              </List>
            </div>
          )}
        </>
      }
      detail={
        openId === "try" ? (
          <TryRequest id={path[1]} />
        ) : (
          openId && <ExplanationPanel key={openId} id={openId} />
        )
      }
    />
  );
}

const saveHar = async (): Promise<void> => saveJson(await call("getHar"), "requests.har");

/** Suggestions for an account without any activity. */
function FirstSteps() {
  return (
    <Empty title="Nothing has happened yet" command={firstCall(baseUrl, serviceKey.value ?? "YOUR_KEY")}>
      <p>Send a request to the sandbox. It appears here with everything that it causes:</p>
      <OtherAccounts />
      <LoadDemo />
    </Empty>
  );
}

/** Links to the accounts in use, since each API key has its own account. */
function OtherAccounts() {
  const others = accounts.value.filter(({ id, requests }) => id !== shownAccount.value && requests > 0);
  if (others.length === 0) return null;
  return (
    <p>
      Requests have come in on other accounts:{" "}
      {others.slice(0, 5).map(({ id, label }) => (
        <a key={id} class="button" href={href(["activity"], { account: id })}>
          {label ?? id}
        </a>
      ))}
    </p>
  );
}
