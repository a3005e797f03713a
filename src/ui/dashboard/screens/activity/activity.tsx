/** The activities of an account, newest first: as stories with their effects, or one by one. */
import { useSignal } from "@preact/signals";
import type { ActivityFilter } from "../../../../client/account/types.js";
import { firstCall } from "../../../../client/first-call.js";
import { call } from "../../api/control.js";
import { useOperations } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { saveJson } from "../../pieces/json-file.js";
import { Empty, later } from "../../pieces/layout.js";
import { FilterSelect, FilterText, ListScreen } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route, setQuery } from "../../state/route.js";
import { accounts, baseUrl, serviceKey, shownAccount } from "../../state/session.js";
import { ConductLink, useConduct } from "../conduct/conduct.js";
import { ExplanationPanel } from "./explanation.js";
import { ActivityRow, type Row, toGroups, toTree } from "./rows.js";

const pageSize = 300;
const maxRows = 1_000;

/** Filters of the list. They are in the address, so that a filtered list can be linked to. */
function readFilter(query: URLSearchParams) {
  const status = Number(query.get("status"));
  return {
    kind: (query.get("kind") || undefined) as ActivityFilter["kind"],
    operation: query.get("operation") || undefined,
    status: status > 0 ? status : undefined,
    q: query.get("q") || undefined,
  };
}

const none: readonly Row[] = [];

const TryRequest = later<{ id: string | undefined }>(
  async () => (await import("./try-request.js")).TryRequest,
);

export function ActivityScreen() {
  const { path, query } = route.value;
  const [open = null, within = null] = path;
  const isTry = open === "try";
  const isAll = query.get("show") === "all";
  const filter = readFilter(query);
  const limit = useSignal(pageSize);
  const read = useResource(
    async () => {
      const page = { limit: limit.value, ...(isAll ? {} : { stories: true }) };
      const { items, next } = await call("listActivity", { query: { ...filter, ...page } });
      return { items: isAll ? toGroups(items) : (items as readonly Row[]), next };
    },
    [JSON.stringify(filter), isAll],
    () => true,
  );
  const tree = useResource(
    async () =>
      open && !isTry && !isAll ? toTree(await call("explainActivity", { params: { id: open } })) : none,
    [open, isAll],
    () => open !== null,
  );
  const conduct = useConduct().data.value?.findings ?? [];
  const proofs = new Set(conduct.flatMap(({ evidence }) => evidence));
  const showOlder = async () => {
    limit.value = maxRows;
    await read.reload();
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const hasOlder = read.data.value?.next && limit.value < maxRows;
  return (
    <ListScreen
      of={read}
      limit={limit.value}
      label={isAll ? "Activities, newest first, each with what it caused below it" : "Stories, newest first"}
      openId={within ?? open}
      hrefOf={({ id, depth }) => (isAll || !depth ? hrefHere(id) : hrefHere(open ?? id, id))}
      below={({ id }) => (id === open ? (tree.data.value ?? none) : none)}
      end={hasOlder && <Action run={showOlder}>Show older</Action>}
      toolbar={
        <>
          <Filters isAll={isAll} />
          <ConductLink findings={conduct} />
          <a class="button" href={href(["activity", "try"])} aria-label="Try a request">
            Try<span class="wide-only"> a request</span>
          </a>
          <span class="wide-only">
            <Action run={saveHar} title="Save the last 1,000 requests as an HTTP archive, without secrets">
              HAR
            </Action>
          </span>
        </>
      }
      empty={isFiltered ? <Empty title="Nothing matches these filters" /> : <FirstSteps />}
      detail={() =>
        isTry ? (
          <TryRequest id={within ?? undefined} />
        ) : (
          open && <ExplanationPanel key={within ?? open} id={within ?? open} />
        )
      }
    >
      {(activity) => <ActivityRow activity={activity} isProof={proofs.has(activity.id)} />}
    </ListScreen>
  );
}

const saveHar = async (): Promise<void> =>
  saveJson(await call("exportAccount", { params: { kind: "har" } }), "requests.har");

const kinds = {
  request: "Requests",
  move: "State changes",
  message: "Messages",
  event: "Events",
  attempt: "Webhook attempts",
  job: "Due changes",
  control: "By hand",
  page: "Hosted pages",
  scenario: "Scenarios",
} as const satisfies Record<NonNullable<ActivityFilter["kind"]>, string>;

function Filters({ isAll }: { isAll: boolean }) {
  const operations = useOperations();
  const field = (name: string) => {
    const value = route.value.query.get(name) ?? "";
    return {
      class: `filter-${name} ${value ? "set" : ""}`,
      value,
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        setQuery({ [name]: currentTarget.value.trim() }),
    };
  };
  return (
    <search class="filters">
      <FilterText label="Search titles and ids" />
      <FilterSelect name="kind" label="Kind" all="All kinds" options={Object.entries(kinds)} />
      <input {...field("operation")} list="operations" placeholder="Operation" aria-label="Operation" />
      <datalist id="operations">
        {operations.map(({ operation, summary }) => (
          <option key={operation} value={operation} label={summary} />
        ))}
      </datalist>
      <input {...field("status")} inputMode="numeric" placeholder="Status" aria-label="HTTP status" />
      <label class="check" title="List every state, message, event and attempt on a separate row">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget }) => setQuery({ show: currentTarget.checked ? "all" : null })}
        />
        Every step
      </label>
    </search>
  );
}

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
