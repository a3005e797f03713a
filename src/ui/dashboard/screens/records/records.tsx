/** The screen of records, grouped by state machine. */
import { useEffect } from "preact/hooks";
import type { CallReply } from "../../../../client/client.js";
import { call } from "../../api/control.js";
import { formatAmount, formatName, formatTime } from "../../pieces/format.js";
import { Empty, Tag } from "../../pieces/layout.js";
import { FilterSelect, ListScreen } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { type ListedMachine, stateTone } from "./move-table.js";
import { RecordDetail } from "./record.js";

const pageSize = 300;

/** Reads the machines, and the records of a machine: the machine in the address, the machine of the open record, or the first with records. */
async function readRecords(asked: string | null, state: string | null, open: string | null) {
  const [{ items: machines }, opened] = await Promise.all([
    call("listMachines"),
    asked || !open ? null : call("getRecord", { params: { id: open } }).catch(() => null),
  ]);
  const name = asked ?? opened?.machine;
  const machine =
    machines.find((one) => one.name === name) ??
    machines.find((one) => one.name === "payout" && one.records > 0) ??
    machines.find(({ records }) => records > 0);
  if (!machine) return { machines, machine, items: [] };
  const query = { limit: pageSize, state: state || undefined };
  const { items } = await call("listRecords", { params: { machine: machine.name }, query });
  return { machines, machine, items };
}

export function RecordsScreen() {
  const { path, query } = route.value;
  const [open = null] = path;
  const [asked, state] = [query.get("machine"), query.get("state")];
  const read = useResource(
    () => readRecords(asked, state, open),
    [chosenAccount.value, asked, state],
    () => true,
  );
  useEffect(() => void read.reload(), [open]);
  const { machines = [], machine } = read.data.value ?? {};
  return (
    <ListScreen
      of={read}
      limit={pageSize}
      label={machine ? `Records: ${formatName(machine.name)}` : "Records"}
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      toolbar={machine && <Filters machines={machines} machine={machine} />}
      empty={
        machine ? (
          <Empty title={state ? `None is ${formatName(state)}` : "There is none yet"} />
        ) : (
          <NoRecords />
        )
      }
      detail={(data) => data && open && <RecordDetail key={open} id={open} machines={machines} />}
    >
      {(item) => <RecordRow item={item} />}
    </ListScreen>
  );
}

const NoRecords = () => (
  <Empty title="There are no records yet">
    <p>
      Everything that calls of the service create appears here: payments, payouts, checks, channels. Load a
      scenario to see some.
    </p>
    <LoadDemo />
  </Empty>
);

interface FiltersProps {
  machines: readonly ListedMachine[];
  /** The machine that is shown. */
  machine: ListedMachine;
}

const Filters = ({ machines, machine }: FiltersProps) => (
  <>
    <select
      data-filter
      aria-label="Machine"
      value={machine.name}
      onChange={({ currentTarget }) => go(href(["records"], { machine: currentTarget.value }))}
    >
      {machines.map((one) => (
        <option key={one.name} value={one.name} selected={one.name === machine.name}>
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
  </>
);

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

/** Fields that say most about a record, the best first. */
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
/** Fields that say whom a record is about, the best first. */
const naming = ["payer_name", "customer_name", "account_name", "full_name", "bank_name", "account_number"];

/** Summarizes a record: its amount, number or address, and whom it belongs to. */
function summaryOf({ payment, ...own }: Readonly<Record<string, unknown>>): { what: string; who: string } {
  // A charge has the amount of its payment.
  const record: Record<string, unknown> = { ...(payment as object | undefined), ...own };
  const first = (names: readonly string[]) => names.find((name) => (record[name] ?? null) !== null);
  const [field, name] = [first(telling), first(naming)];
  const value = field === undefined ? "" : record[field];
  return {
    what: field === "amount" ? `NGN ${formatAmount(Number(value))}` : String(value),
    who: name === undefined || name === field ? "" : String(record[name]),
  };
}
