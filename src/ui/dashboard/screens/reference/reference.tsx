/** The operations and events of a contract by section, each of which can be opened, and operations tried out. */
import { controlPath } from "../../../../contract/control-routes.js";
import { type ApiName, type Contract, readContract } from "../../api/contract.js";
import { GroupedList, type ListGroup } from "../../pieces/grouped-list.js";
import { Empty, Loaded, Split, Toolbar } from "../../pieces/layout.js";
import { Tabs } from "../../pieces/tabs.js";
import { Text } from "../../pieces/text.js";
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

function groupsOf({ groups, operations, events }: Contract): ListGroup<Entry>[] {
  const ofOperations = [...groups].map(([name, description]) => ({
    name,
    description,
    items: operations.filter(({ group }) => group === name),
  }));
  const ofEvents = {
    name: "Events",
    description: "What the service posts to registered webhook endpoints, signed.",
    items: events.map(({ id, kind, description }) => ({
      id,
      method: "EVENT",
      path: kind,
      summary: description,
    })),
  };
  return [...ofOperations, ofEvents].filter(({ items }) => items.length > 0);
}

/** Returns the groups with the entries that contain every word. */
function filterGroups(groups: readonly ListGroup<Entry>[], q: string): ListGroup<Entry>[] {
  const words = q.toLowerCase().split(/\s+/);
  const matches = ({ id, method, path, summary }: Entry, group: string): boolean => {
    const text = `${id} ${method} ${path} ${summary} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, items: group.items.filter((entry) => matches(entry, group.name)) }))
    .filter(({ items }) => items.length > 0);
}

const countOf = (groups: readonly ListGroup<Entry>[]): number =>
  groups.reduce((sum, { items }) => sum + items.length, 0);

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
            <GroupedList
              label="Operations"
              groups={found}
              openId={openId ?? null}
              hrefOf={({ id }) => hrefHere(...base, id)}
            >
              {(entry) => <EntryRow entry={entry} />}
            </GroupedList>
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
    <a href={`${basePath}/docs/exports`}>Exports</a>
    <a href={`${basePath}/llms.txt`}>llms.txt</a>
  </p>
);

const EntryRow = ({ entry: { method, path, summary } }: { entry: Entry }) => (
  <span class="line">
    <code class={`reference-method ${method.toLowerCase()}`}>{method}</code>
    <code>{path}</code>
    <span class="soft">
      <Text text={summary} />
    </span>
  </span>
);
