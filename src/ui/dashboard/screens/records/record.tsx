/** A record: its history, its possible moves, and its entries in the ledger. */
import { useSignal } from "@preact/signals";
import type { ActivityEntry, RecordEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/client.js";
import { call } from "../../api/control.js";
import { Copy } from "../../pieces/button.js";
import { Json, WithArrows } from "../../pieces/code.js";
import { AreaField } from "../../pieces/field.js";
import { formatDay, formatName, formatTime, isWebLink } from "../../pieces/format.js";
import { Icon } from "../../pieces/icons.js";
import { parseTypedObject } from "../../pieces/json-file.js";
import { Detail, Loaded, Section, Tag } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";
import { AllMoves, LegalMoves, type ListedMachine, stateTone } from "./move-table.js";

async function readRecord(id: string) {
  const [record, ledger, activity] = await Promise.all([
    call("getRecord", { params: { id } }),
    call("getLedger", { query: { record: id } }),
    call("listActivity", { query: { kind: "move", record: id, limit: 1_000 } }),
  ]);
  return { record, entries: ledger.items, moves: activity.items };
}

export function RecordDetail({ id, machines }: { id: string; machines: readonly ListedMachine[] }) {
  const read = useResource(
    () => readRecord(id),
    [id],
    () => true,
  );
  return (
    <Loaded of={read}>
      {({ record, entries, moves }) => {
        const machine = machines.find(({ name }) => name === record.machine);
        return (
          <Detail
            title={
              <>
                {formatName(record.machine)}{" "}
                <Tag tone={stateTone(record.state)}>{formatName(record.state)}</Tag>
              </>
            }
            back={hrefHere()}
            actions={
              <a class="button" href={href(["activity", id])}>
                Cause and effect
              </a>
            }
          >
            <p class="actions">
              <code>{id}</code>
              <Copy text={id} />
            </p>
            <Links record={record.record} />
            <History record={record} moves={moves} />
            <Moves machine={machine} record={record} onMoved={() => read.reload()} />
            {entries.length > 0 && <Ledger entries={entries} />}
            <Section title="As the service shows it">
              <Json value={record.record} label="Record" />
            </Section>
          </Detail>
        );
      }}
    </Loaded>
  );
}

/** Links to the pages of the record, such as its checkout. */
const Links = ({ record }: Pick<RecordEntry, "record">) => (
  <>
    {Object.entries(record).map(
      ([name, value]) =>
        name.endsWith("_url") &&
        isWebLink(value) && (
          <p key={name}>
            <a href={value} target="_blank" rel="noreferrer">
              {`Open its ${formatName(name.replace(/_url$/, " page"))}`} <Icon name="external" />
            </a>
          </p>
        ),
    )}
  </>
);

/** Who made a move. */
const actors: Readonly<Record<string, string>> = {
  api: "by a call",
  clock: "due",
  control: "by hand",
  page: "on a page",
  scenario: "by a scenario",
};

interface HistoryProps {
  record: RecordEntry;
  /** Activities of the moves, newest first. Their titles say what happened. The oldest may be gone. */
  moves: readonly ActivityEntry[];
}

const History = ({ record: { history }, moves }: HistoryProps) => (
  <Section title="What happened">
    <ol class="history">
      {history.map(({ at, move, from, to, by }, index) => {
        const activity = moves[history.length - 1 - index];
        return (
          <li key={`${at} ${move} ${to}`}>
            <time title={formatDay(at)}>{formatTime(at)}</time>
            <span class="grow">
              {activity ? <a href={href(["activity", activity.id])}>{activity.title}</a> : formatName(move)}
            </span>
            <span class="hint">
              <WithArrows text={`${formatName(from)} → ${formatName(to)}`} /> · {actors[by] ?? by}
            </span>
          </li>
        );
      })}
    </ol>
  </Section>
);

interface MovesProps {
  machine: ListedMachine | undefined;
  record: RecordEntry;
  onMoved(): Promise<void>;
}

function Moves({ machine, record, onMoved }: MovesProps) {
  const input = useSignal("");
  const make = async (move: string) => {
    const given = input.value.trim() ? parseTypedObject(input.value, "The input") : {};
    const { state } = await call("moveRecord", { params: { id: record.id, move }, body: given });
    notify(`The record is now ${formatName(state)}.`);
    await onMoved();
  };
  return (
    <Section title="What can happen now">
      {record.moves.length === 0 ? (
        <p class="soft">{`No moves are possible from the state ${formatName(record.state)}.`}</p>
      ) : (
        <>
          <LegalMoves machine={machine} record={record} onMove={make} />
          <details class="soft">
            <summary>Input of the move</summary>
            <AreaField label="Input as JSON" value={input} rows={3} placeholder='{"text": "Ngozi"}' mono />
          </details>
        </>
      )}
      {machine && (
        <details class="soft">
          <summary>{`All states and moves of ${formatName(machine.name)}`}</summary>
          <AllMoves machine={machine} record={record} />
        </details>
      )}
    </Section>
  );
}

type Entries = CallReply<"getLedger">["items"];

const Ledger = ({ entries }: { entries: Entries }) => (
  <Section title="Ledger, in NGN">
    <table class="table counted">
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col">Account</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {entries.flatMap(({ at, amounts }, index) =>
          Object.entries(amounts).map(([name, amount], leg) => (
            <tr key={`${index} ${name}`}>
              <td>{leg === 0 && formatTime(at)}</td>
              <td>{formatName(name)}</td>
              <td>{amount.toLocaleString("en", { minimumFractionDigits: 2, signDisplay: "always" })}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  </Section>
);
