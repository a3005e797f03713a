/** Records: every record by its state machine. */
import type { CallReply } from "../../../../client/control-call.js";
import { call } from "../../api/control.js";
import { formatAmount, formatTime } from "../../pieces/format.js";
import { Empty, Loaded, Split, Tag, Toolbar } from "../../pieces/layout.js";
import { StillRows } from "../../pieces/list.js";
import { FilterSelect } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { formatName, type ListedMachine } from "./move-table.js";
import { RecordDetail } from "./record.js";
import { stateTone } from "./state-tone.js";

const pageSize = 300;

export function RecordsScreen() {
  const [open = null] = route.value.path;
  const opened = useResource(
    async () => (open ? await call("getRecord", { params: { id: open } }) : null),
    [open],
  );
  const machines = useResource(
    () => call("listMachines"),
    [chosenAccount.value],
    () => true,
  );
  return (
    <Loaded of={machines}>
      {({ items }) => (
        <Split
          list={
            <MachineRecords machines={items} open={open} openMachine={opened.data.value?.machine ?? null} />
          }
          detail={open && <RecordDetail key={open} id={open} machines={items} />}
        />
      )}
    </Loaded>
  );
}

interface MachineRecordsProps {
  machines: readonly ListedMachine[];
  open: string | null;
  /** Machine of the open record, which the list shows unless the address names another. */
  openMachine: string | null;
}

function MachineRecords({ machines, open, openMachine }: MachineRecordsProps) {
  const name = route.value.query.get("machine") ?? openMachine;
  const machine =
    machines.find((one) => one.name === name) ??
    machines.find((one) => one.name === "payout" && one.records > 0) ??
    machines.find(({ records }) => records > 0);
  if (!machine) {
    return (
      <Empty title="There are no records yet">
        <p>
          Everything that calls of the service create appears here: payments, payouts, checks, channels. Load
          a scenario to see some.
        </p>
        <LoadDemo />
      </Empty>
    );
  }
  return (
    <>
      <Toolbar>
        <select
          data-filter
          aria-label="Machine"
          value={machine.name}
          onChange={({ currentTarget }) => go(href(["records"], { machine: currentTarget.value }))}
        >
          {machines.map((one) => (
            <option key={one.name} value={one.name} selected={one === machine}>
              {`${formatName(one.name)} (${one.records})`}
            </option>
          ))}
        </select>
        <FilterSelect
          name="state"
          label="State"
          all="All states"
          options={machine.states.map((name) => [name, formatName(name)] as const)}
        />
      </Toolbar>
      <RecordList machine={machine.name} state={route.value.query.get("state")} open={open} />
    </>
  );
}

function RecordList({
  machine,
  state,
  open,
}: {
  machine: string;
  state: string | null;
  open: string | null;
}) {
  const read = useResource(
    () => call("listRecords", { params: { machine }, query: { limit: pageSize, state: state || undefined } }),
    [machine, state],
    () => true,
  );
  return (
    <Loaded of={read}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title={state ? `None is ${formatName(state)}` : "There is none yet"} />
        ) : (
          <StillRows
            label="Records"
            items={items}
            isWhole={items.length < pageSize}
            openId={open}
            hrefOf={({ id }) => hrefHere(id)}
          >
            {(item) => <RecordRow item={item} />}
          </StillRows>
        )
      }
    </Loaded>
  );
}

type ListedRecord = CallReply<"listRecords">["items"][number];

function RecordRow({ item: { id, state, moved_at, record } }: { item: ListedRecord }) {
  const { what, who } = summaryOf(record);
  return (
    <span class="line">
      <time>{formatTime(moved_at)}</time>
      <b>{what}</b>
      {who ? <span class="soft">{who}</span> : <span class="soft mono">{id}</span>}
      <Tag tone={stateTone(state)}>{formatName(state)}</Tag>
    </span>
  );
}

/** Fields that say most about a record, and those that say whom it is about, the first that it has. */
const telling = [
  "amount",
  "phone",
  "to",
  "label",
  "domain",
  "url",
  "room_name",
  "customer_name",
  "event",
  "type",
];
const naming = ["payer_name", "customer_name", "account_name", "full_name", "bank_name", "account_number"];

/** Returns what a record is about, in words: its amount, number or address, and who it belongs to. */
function summaryOf({ payment, ...own }: Readonly<Record<string, unknown>>): { what: string; who: string } {
  // The amount of a charge is that of its payment.
  const record: Record<string, unknown> = { ...(payment as object | undefined), ...own };
  const first = (names: readonly string[]) => names.find((name) => (record[name] ?? null) !== null);
  const [field, name] = [first(telling), first(naming)];
  const value = field === undefined ? "" : record[field];
  return {
    what: field === "amount" ? `NGN ${formatAmount(Number(value))}` : String(value),
    who: name === undefined || name === field ? "" : String(record[name]),
  };
}
