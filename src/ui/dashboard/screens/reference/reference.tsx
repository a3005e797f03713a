/** The operations and events of a contract by section, each of which can be opened, and operations tried out. */
import { useEffect, useRef } from "preact/hooks";
import { controlPath } from "../../../../contract/control-routes.js";
import { type ApiName, type Contract, readContract } from "../../api/contract.js";
import { Empty, Loaded, Split, Toolbar } from "../../pieces/layout.js";
import { Tabs } from "../../pieces/tabs.js";
import { Text } from "../../pieces/text.js";
import { useKeysOn } from "../../state/keyboard.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route, setQuery } from "../../state/route.js";
import { basePath } from "../../state/session.js";
import { Event } from "./event.js";
import { OperationPanel } from "./operation.js";

export function OperationReference() {
  const { path } = route.value;
  const api: ApiName = path[0] === "control" ? "control" : "service";
  const read = useResource(() => readContract(api), [api]);
  const openId = api === "control" ? path[1] : path[0];
  return (
    <Loaded of={read}>
      {(contract) => <Reference key={api} api={api} contract={contract} openId={openId} />}
    </Loaded>
  );
}

/** A row of the list: an operation, or an event. */
interface Entry {
  id: string;
  /** `EVENT` for an event. */
  method: string;
  path: string;
  summary: string;
}

interface Group {
  name: string;
  description: string;
  entries: readonly Entry[];
}

function groupsOf({ groups, operations, events }: Contract): Group[] {
  const ofOperations = [...groups].map(([name, description]) => ({
    name,
    description,
    entries: operations.filter(({ group }) => group === name),
  }));
  const ofEvents = {
    name: "Events",
    description: "What the service posts to registered webhook endpoints, signed.",
    entries: events.map(({ id, kind, description }) => ({
      id,
      method: "EVENT",
      path: kind,
      summary: description,
    })),
  };
  return [...ofOperations, ofEvents].filter(({ entries }) => entries.length > 0);
}

/** Returns the groups with the entries that contain every word. */
function filterGroups(groups: readonly Group[], q: string): Group[] {
  const words = q.toLowerCase().split(/\s+/);
  const matches = ({ id, method, path, summary }: Entry, group: string): boolean => {
    const text = `${id} ${method} ${path} ${summary} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => matches(entry, group.name)) }))
    .filter(({ entries }) => entries.length > 0);
}

const countOf = (groups: readonly Group[]): number =>
  groups.reduce((sum, { entries }) => sum + entries.length, 0);

interface ReferenceProps {
  api: ApiName;
  contract: Contract;
  openId: string | undefined;
}

function Reference({ api, contract, openId }: ReferenceProps) {
  const q = route.value.query.get("q") ?? "";
  const all = groupsOf(contract);
  const found = filterGroups(all, q);
  const [count, total] = [countOf(found), countOf(all)];
  const base = api === "control" ? ["control"] : [];
  return (
    <Split
      list={
        <>
          <Toolbar>
            <Tabs
              label="Contracts"
              tabs={[
                ["The service", href(["reference"]), api === "service"],
                ["The control API", href(["reference", "control"]), api === "control"],
              ]}
            />
            <input
              type="search"
              class="reference-filter"
              placeholder={api === "control" ? "Filter: clock, POST …" : "Filter: payout, POST, /v1/verify …"}
              aria-label="Filter operations"
              data-filter
              value={q}
              onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
            />
            <span class="soft" role="status">
              {count === total ? `${total} entries` : `${count} of ${total}`}
            </span>
          </Toolbar>
          {count === 0 ? (
            <Empty title="No operation matches" />
          ) : (
            <EntryList groups={found} openId={openId} base={base} />
          )}
          <Documents api={api} />
        </>
      }
      detail={openId && <Open key={openId} id={openId} contract={contract} back={hrefHere(...base)} />}
    />
  );
}

function Open({ id, contract, back }: { id: string; contract: Contract; back: string }) {
  const operation = contract.operations.find((one) => one.id === id);
  if (operation) return <OperationPanel operation={operation} contract={contract} back={back} />;
  const event = contract.events.find((one) => one.id === id);
  if (event) return <Event event={event} contract={contract} back={back} />;
  return (
    <Empty title={`There is no operation ${id}`}>
      <a href={back}>Show all operations</a>
    </Empty>
  );
}

/** Links to what the reference is made from, and to the other pages of the docs. */
const Documents = ({ api }: { api: ApiName }) => (
  <p class="reference-documents links">
    <a href={basePath + controlPath(api === "control" ? "getControlContract" : "getServiceContract")}>
      OpenAPI document
    </a>
    <a href={`${basePath}/docs/values`}>Test values</a>
    <a href={`${basePath}/docs/assumptions`}>Assumptions</a>
    <a href={`${basePath}/llms.txt`}>llms.txt</a>
  </p>
);

interface EntryListProps {
  groups: readonly Group[];
  openId: string | undefined;
  /** Path of the list below the screen. */
  base: readonly string[];
}

function EntryList({ groups, openId, base }: EntryListProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(
    () =>
      useKeysOn({
        move(step) {
          const rows = [...(box.current?.querySelectorAll<HTMLElement>(".row") ?? [])];
          const now = rows.findIndex((row) => row.matches(":focus"));
          const open = rows.findIndex((row) => row.hasAttribute("aria-current"));
          const from = now === -1 ? open : now;
          rows[from === -1 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)]?.focus();
        },
      }),
    [],
  );
  useEffect(
    () => box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }),
    [openId],
  );
  return (
    <nav class="reference-list" aria-label="Operations" ref={box}>
      {groups.map(({ name, description, entries }) => (
        <section key={name}>
          <h2>{name}</h2>
          <p class="hint">{description}</p>
          <ul>
            {entries.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a class="row" href={hrefHere(...base, id)} aria-current={id === openId ? "true" : undefined}>
                  <span class="line">
                    <code class={`reference-method ${method.toLowerCase()}`}>{method}</code>
                    <code>{path}</code>
                    <span class="soft">
                      <Text text={summary} />
                    </span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
