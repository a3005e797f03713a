/** The operations of the service by section of its interface, each of which can be opened and tried out. */
import { useEffect, useRef } from "preact/hooks";
import { readOperations, type TryableOperation } from "../../api/contract.js";
import { Empty, Loaded, Split, Toolbar } from "../../pieces/layout.js";
import { useKeysOn } from "../../state/keyboard.js";
import { useResource } from "../../state/resource.js";
import { hrefHere, route, setQuery } from "../../state/route.js";
import { Operation } from "./operation.js";

export function OperationReference() {
  const read = useResource(readOperations);
  return <Loaded of={read}>{(all) => <Reference all={all} />}</Loaded>;
}

/** Returns whether an operation contains every word. */
function matches({ id, method, path, summary, group }: TryableOperation, q: string): boolean {
  const text = `${id} ${method} ${path} ${summary} ${group}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Reference({ all }: { all: readonly TryableOperation[] }) {
  const { path, query } = route.value;
  const [openId] = path;
  const q = query.get("q") ?? "";
  const found = all.filter((operation) => matches(operation, q));
  const open = all.find(({ id }) => id === openId);
  return (
    <Split
      list={
        <>
          <Toolbar>
            <input
              type="search"
              class="grow"
              placeholder="Filter: payout, POST, /v1/verify …"
              aria-label="Filter operations"
              data-filter
              value={q}
              onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
            />
            <span class="soft" role="status">
              {found.length === all.length ? `${all.length} operations` : `${found.length} of ${all.length}`}
            </span>
          </Toolbar>
          {found.length === 0 ? (
            <Empty title="No operation matches" />
          ) : (
            <OperationList operations={found} openId={openId} />
          )}
        </>
      }
      detail={
        openId &&
        (open ? (
          <Operation key={open.id} operation={open} />
        ) : (
          <Empty title={`There is no operation ${openId}`}>
            <a href={hrefHere()}>Show all operations</a>
          </Empty>
        ))
      }
    />
  );
}

interface OperationListProps {
  operations: readonly TryableOperation[];
  openId: string | undefined;
}

function OperationList({ operations, openId }: OperationListProps) {
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
  const groups = [...new Set(operations.map(({ group }) => group))];
  return (
    <nav class="reference-list" aria-label="Operations" ref={box}>
      {groups.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {operations
              .filter((operation) => operation.group === group)
              .map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a class="row" href={hrefHere(id)} aria-current={id === openId ? "true" : undefined}>
                    <span class="line">
                      <code class="reference-method">{method}</code>
                      <code>{path}</code>
                      <span class="soft">{summary}</span>
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
