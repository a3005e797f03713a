/** A record: its machine with its state, its legal moves as buttons, its history and what it moved in the ledger. */
import { useSignal } from "@preact/signals";
import type { RecordEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/control-call.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { AreaField } from "../../pieces/field.js";
import { formatDay, formatTime, isWebLink } from "../../pieces/format.js";
import { Icon } from "../../pieces/icons.js";
import { Detail, Loaded, Section, Tag } from "../../pieces/layout.js";
import { parseTypedObject } from "../../pieces/parse.js";
import { WithArrows } from "../../pieces/text.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";
import { notify } from "../../state/toasts.js";
import { StateDiagram } from "./diagram.js";
import type { DiagramMachine } from "./layout.js";
import { stateTone } from "./state-tone.js";

async function readRecord(id: string) {
  const [record, ledger] = await Promise.all([
    call("getRecord", { params: { id } }),
    call("getLedger", { query: { record: id } }),
  ]);
  return { record, entries: ledger.items };
}

export function RecordDetail({ id, machines }: { id: string; machines: readonly DiagramMachine[] }) {
  const read = useResource(
    () => readRecord(id),
    [id],
    () => true,
  );
  return (
    <Loaded of={read}>
      {({ record, entries }) => {
        const machine = machines.find(({ name }) => name === record.machine);
        return (
          <Detail
            title={
              <>
                {record.machine.replaceAll("_", " ")} <Tag tone={stateTone(record.state)}>{record.state}</Tag>
              </>
            }
            back={hrefHere()}
            actions={
              <a class="button" href={href(["activity", id])}>
                Cause and effect
              </a>
            }
          >
            <p class="mono">{id}</p>
            <Links record={record.record} />
            {machine && <StateDiagram machine={machine} record={record} />}
            <Moves record={record} onMoved={() => read.reload()} />
            <Section title="History">
              <ol class="history">
                {record.history.map(({ at, move, from, to, by }) => (
                  <li key={`${at} ${move} ${to}`}>
                    <time title={formatDay(at)}>{formatTime(at)}</time>
                    <span class="grow">
                      <WithArrows text={`${from} → `} />
                      <b>{to}</b> <span class="soft">by {move}</span>
                    </span>
                    <span class="soft">{by}</span>
                  </li>
                ))}
              </ol>
            </Section>
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

/** Pages that the service has given out for the record, such as its checkout. */
const Links = ({ record }: Pick<RecordEntry, "record">) => (
  <>
    {Object.entries(record).map(
      ([name, value]) =>
        name.endsWith("_url") &&
        isWebLink(value) && (
          <p key={name}>
            <a href={value} target="_blank" rel="noreferrer">
              {name} <Icon name="external" />
            </a>
          </p>
        ),
    )}
  </>
);

function Moves({ record, onMoved }: { record: RecordEntry; onMoved(): Promise<void> }) {
  const input = useSignal("");
  if (record.moves.length === 0)
    return <p class="soft">{`No moves are possible from the state ${record.state}.`}</p>;
  const make = async (move: string) => {
    const given = input.value.trim() ? parseTypedObject(input.value, "The input") : {};
    const { state } = await call("moveRecord", { params: { id: record.id, move }, body: given });
    notify(`The record is now ${state}.`);
    await onMoved();
  };
  return (
    <Section title={`Moves from ${record.state}`}>
      <div class="actions">
        {record.moves.map(({ move, to }) => (
          <Action
            key={move}
            run={() => make(move)}
            title={to === "computed" ? "Its input decides" : `to ${to}`}
          >
            {move}
          </Action>
        ))}
      </div>
      <details class="input">
        <summary>Input of the move</summary>
        <AreaField label="Input as JSON" value={input} rows={3} placeholder='{"text": "Ngozi"}' mono />
      </details>
    </Section>
  );
}

type Entries = CallReply<"getLedger">["items"];

const Ledger = ({ entries }: { entries: Entries }) => (
  <Section title="Ledger, in NGN">
    <table class="table">
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
              <td>{name.replaceAll("_", " ")}</td>
              <td>{amount.toLocaleString("en", { minimumFractionDigits: 2, signDisplay: "always" })}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  </Section>
);
