/** The moves of a state machine as tables: the moves that a record can make now, all moves, and how often each happened. */
import type { ComponentChildren } from "preact";
import type { RecordEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/client.js";
import { Action } from "../../pieces/button.js";
import { formatName } from "../../pieces/format.js";
import { Icon } from "../../pieces/icons.js";
import { Tag, type Tone } from "../../pieces/layout.js";

export type ListedMachine = CallReply<"listMachines">["items"][number];
type ListedMove = ListedMachine["transitions"][number];

const good = [
  "paid",
  "success",
  "verified",
  "connected",
  "processed",
  "succeeded",
  "ready",
  "completed",
  "active",
];
const bad = ["failed", "rejected", "locked", "not_found", "disconnected"];
const over = ["expired", "deactivated", "cancelled"];

/** Returns the tone of a state. */
export function stateTone(state: string): Tone {
  if (good.includes(state)) return "good";
  if (bad.includes(state)) return "bad";
  return over.includes(state) ? "over" : "wait";
}

/** Describes what a move does to the state. */
function describeEffect({ from, to }: Pick<ListedMove, "from" | "to">): string {
  if (to.length > 1) return `It becomes ${to.map(formatName).join(" or ")}, depending on its input`;
  return to[0] === from ? `It stays ${formatName(from)}` : `It becomes ${formatName(to[0] ?? from)}`;
}

/** Describes what makes a move. */
function describeCause({ by_hand, timed }: ListedMove): string {
  if (timed) return by_hand ? "the clock, or by hand" : "the clock";
  return by_hand ? "a call, or by hand" : "a call";
}

interface TableProps {
  label: string;
  head: readonly string[];
  /** Whether the last column is numbers. */
  isCounted?: true;
  children: ComponentChildren;
}

const Table = ({ label, head, isCounted, children }: TableProps) => (
  <table class={isCounted ? "table counted" : "table"} aria-label={label}>
    <thead>
      <tr>
        {head.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

type RecordOfMachine = Pick<RecordEntry, "state" | "history" | "moves">;

interface LegalMovesProps {
  machine: ListedMachine | undefined;
  record: RecordOfMachine;
  onMove(move: string): Promise<void>;
}

/** The moves that are possible from the state of a record, as buttons with their effects. */
export const LegalMoves = ({ machine, record: { state, moves }, onMove }: LegalMovesProps) => (
  <Table label={`Moves from ${formatName(state)}`} head={["Move", "What it would do"]}>
    {moves.map(({ move, to }) => {
      const known = machine?.transitions.find((one) => one.move === move && one.from === state);
      return (
        <tr key={move}>
          <td>
            <Action run={() => onMove(move)}>{formatName(move)}</Action>
          </td>
          <td>{describeEffect(known ?? { from: state, to: [to] })}</td>
        </tr>
      );
    })}
  </Table>
);

/** All moves of a record's machine. The state of the record and the moves that it has made are marked. */
export const AllMoves = ({ machine, record }: { machine: ListedMachine; record: RecordOfMachine }) => (
  <Table
    label={`All moves of ${formatName(machine.name)}`}
    head={["From", "Move", "What it does", "Made by"]}
  >
    {machine.transitions.map((move) => {
      const isMade = record.history.some((step) => step.from === move.from && step.move === move.move);
      return (
        <tr key={`${move.from} ${move.move}`} class={isMade ? "made" : "soft"}>
          <td>
            {move.from === record.state ? (
              <Tag tone={stateTone(move.from)}>{formatName(move.from)}</Tag>
            ) : (
              formatName(move.from)
            )}
          </td>
          <td>
            {isMade && <Icon name="check" />} {formatName(move.move)}
            {isMade && <span class="visually-hidden"> (made)</span>}
          </td>
          <td>{describeEffect(move)}</td>
          <td>{describeCause(move)}</td>
        </tr>
      );
    })}
  </Table>
);

type Transition = CallReply<"getCoverage">["transitions"][number];

interface CountedMovesProps {
  machine: ListedMachine;
  transitions: readonly Transition[];
  /** Makes a move that never happened happen. */
  onMove(transition: Transition): Promise<void>;
}

/** The moves of a machine, with how often each happened. Moves that never happened are buttons. */
export const CountedMoves = ({ machine, transitions, onMove }: CountedMovesProps) => (
  <Table
    label={`How often the moves of ${formatName(machine.name)} happened`}
    head={["From", "Move", "To", "Times"]}
    isCounted
  >
    {transitions.map((transition) => {
      const { move, from, to, count } = transition;
      const isLever = count === 0 && from !== "new";
      return (
        <tr key={`${from} ${move} ${to}`} class={count === 0 ? "never" : ""}>
          <td>{formatName(from)}</td>
          <td>
            {isLever ? (
              <Action
                run={() => onMove(transition)}
                label={`${formatName(move)}: ${formatName(from)} to ${formatName(to)}`}
                title={`Makes it happen to the newest record of this account that is ${formatName(from)}`}
              >
                {formatName(move)}
              </Action>
            ) : (
              formatName(move)
            )}
          </td>
          <td>{to === "computed" ? "depends on its input" : formatName(to)}</td>
          <td>{count === 0 ? "never" : count}</td>
        </tr>
      );
    })}
  </Table>
);
