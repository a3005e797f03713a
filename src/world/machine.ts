/**
 * State machines: flat tables with one row per transition, to be laid beside the interface's tables. Rows are data and
 * act on an account of type `A`; `records.ts` applies them.
 */

export interface Step {
  at: string;
  move: string;
  from: string;
  to: string;
  /** Who moved it: api, clock, control or page. */
  by: string;
}

export interface Entity {
  id: string;
  state: string;
  created_at: string;
  history: Step[];
}
export type Stored<Fields> = Entity & Fields;

export interface Transition<Fields, A> {
  from: string | readonly string[];
  /** The next state, or a function that computes it from the record and the move's input. */
  to: string | ((record: Stored<Fields>, input: unknown, account: A) => string);
  /** Made by the sandbox alone, never by hand. */
  internal?: true;
  /** Delay in ms after the record has entered `from` at which the clock makes this move. */
  after?: number;
  /** Instant (ms on the account's clock) at which the clock makes this move, or null for never. */
  at?: (record: Stored<Fields>) => number | null;
  /** Kinds of the events that this transition emits. */
  emits?: string | ((record: Stored<Fields>) => string | readonly string[] | null);
  /** Changes what else belongs to the transition: fields of the record, money, messages. */
  effect?(record: Stored<Fields>, account: A, input: unknown): void;
}

export interface MachineSpec<Fields, Moves extends string, A> {
  name: string;
  /** Prefix of the records' ids. */
  prefix: string;
  moves: Readonly<Record<Moves, Transition<Fields, A>>>;
  /** Returns the record as the interface shows it. */
  view(record: Stored<Fields>, account: A): Record<string, unknown>;
  /** Returns what the events carry where that is not the view, with a job id as in verification.completed. */
  event?(record: Stored<Fields>, account: A): { data: Record<string, unknown>; jobId?: string };
}

export interface Machine<Fields = object, Moves extends string = string, A = never>
  extends MachineSpec<Fields, Moves, A> {
  /** Moves by the state that they leave. */
  readonly from: ReadonlyMap<string, readonly Moves[]>;
  /** The moves of `from` that can be made by hand. */
  readonly byHand: ReadonlyMap<string, readonly Moves[]>;
}

/** Defines a machine: `machine<Fields, Account>()({ name, prefix, moves, view })`, with its moves inferred. */
export const machine =
  <Fields extends object, A>() =>
  <Moves extends string>(spec: MachineSpec<Fields, Moves, A>): Machine<Fields, Moves, A> => {
    const moves = Object.keys(spec.moves) as Moves[];
    const byHand = moves.filter((move) => !spec.moves[move].internal);
    return { ...spec, from: groupByState(spec.moves, moves), byHand: groupByState(spec.moves, byHand) };
  };

function groupByState<Moves extends string>(
  rows: Readonly<Record<Moves, { from: string | readonly string[] }>>,
  moves: readonly Moves[],
): Map<string, Moves[]> {
  const grouped = new Map<string, Moves[]>();
  for (const move of moves) {
    for (const state of [rows[move].from].flat()) grouped.set(state, [...(grouped.get(state) ?? []), move]);
  }
  return grouped;
}

/** State of a record before its first move. */
export const fresh = "new";

/** Returns the machine without its own types, for lists of machines; its moves are made by name from here on. */
export const forgetTypes = <F, M extends string, A>(machine: Machine<F, M, A>): Machine<object, string, A> =>
  machine as unknown as Machine<object, string, A>;

export class IllegalMove extends Error {
  constructor(
    readonly machine: string,
    readonly id: string,
    readonly state: string,
    readonly move: string,
    readonly legal: readonly string[],
  ) {
    const right = legal.length > 0 ? `from there: ${legal.join(", ")}` : "nothing moves it from there";
    super(`${id} is ${state}, and ${move} does not move a ${machine} from ${state}; ${right}`);
  }
}
