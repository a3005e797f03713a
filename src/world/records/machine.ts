/**
 * State machines: flat tables with one row per transition, to be laid beside the interface's tables. Rows are data and
 * act on an account of type `A`; `records.ts` applies them.
 */

export interface Step {
  at: string;
  move: string;
  from: string;
  to: string;
  /** Actor of the move: api, clock, control or page. */
  by: string;
}

export interface Entity {
  id: string;
  state: string;
  created_at: string;
  history: Step[];
}
export type Stored<Fields> = Entity & Fields;

type States = string | readonly string[];

/** A function of a record. Method syntax makes its parameters bivariant, so any machine is assignable to `Machine`. */
type FromRecord<Fields, Rest extends unknown[], Result> = {
  of(record: Stored<Fields>, ...rest: Rest): Result;
}["of"];

export interface Transition<Fields, A, From extends States = States> {
  from: From;
  /** The next state, or a function that computes it from the record and the move's input. */
  to: string | FromRecord<Fields, [input: unknown, account: A], string>;
  /** States that a computed `to` may return. Other states are rejected. */
  oneOf?: readonly string[];
  /** Whether only the sandbox may make this move, not a tester. */
  internal?: true;
  /** Whether the move records no activity. Its effect may record one instead. */
  silent?: true;
  /** Delay in ms after the record has entered `from` at which the clock makes this move. */
  after?: number;
  /** Instant (ms on the account's clock) at which the clock makes this move, or null for never. */
  at?(record: Stored<Fields>): number | null;
  /** Kinds of the events that this transition emits. */
  emits?: string | FromRecord<Fields, [], string | readonly string[] | null>;
  /** Applies side effects of the transition, such as changed fields, ledger entries and messages. */
  effect?(record: Stored<Fields>, account: A, input: unknown): void;
}

interface MachineSpec<Fields, Moves, A, Name extends string> {
  readonly name: Name;
  /** Prefix of the records' ids. */
  readonly prefix: string;
  readonly moves: Moves;
  /** Returns the record as the interface shows it. */
  view(record: Stored<Fields>, account: A): Record<string, unknown>;
  /** Returns the event data, with a job id as in verification.completed. Default: the view. */
  event?(record: Stored<Fields>, account: A): { data: Record<string, unknown>; jobId?: string };
}

type Transitions<Fields, Moves extends string, A> = Readonly<Record<Moves, Transition<Fields, A>>>;

export interface Machine<
  Fields = object,
  Moves extends string = string,
  A = never,
  Name extends string = string,
  ByHand extends string = Moves,
> extends MachineSpec<Fields, Transitions<Fields, Moves, A>, A, Name> {
  /** Moves by the state that they start from. */
  readonly from: ReadonlyMap<string, readonly Moves[]>;
  /** Returns the moves from state `from` that a tester can make. The initial move is never among them. */
  readonly byHand: ReadonlyMap<string, readonly ByHand[]>;
}

/** Defines a machine: `machine<Fields, Account>()({ name, prefix, moves, view })`, with its moves inferred. */
export const machine =
  <Fields extends object, A>() =>
  <const Name extends string, const From extends Readonly<Record<string, States>>, const Internal>(
    spec: MachineSpec<
      Fields,
      { readonly [M in keyof From]: Transition<Fields, A, From[M]> } & {
        readonly [M in keyof Internal]: { internal?: Internal[M] };
      },
      A,
      Name
    >,
  ) => {
    type Moves = keyof From & string;
    type ByHand = {
      [M in Moves]: From[M] extends typeof initialState
        ? never
        : M extends keyof Internal
          ? Internal[M] extends true
            ? never
            : M
          : M;
    }[Moves];
    const rows: Transitions<Fields, Moves, A> = spec.moves;
    const moves = Object.keys(rows) as Moves[];
    const byHand = moves.filter(
      (move) => !rows[move].internal && rows[move].from !== initialState,
    ) as ByHand[];
    const made: Machine<Fields, Moves, A, Name, ByHand> = {
      ...spec,
      moves: rows,
      from: groupByState(rows, moves),
      byHand: groupByState(rows, byHand),
    };
    return made;
  };

function groupByState<Moves extends string>(
  rows: Readonly<Record<Moves, { from: States }>>,
  moves: readonly Moves[],
): Map<string, Moves[]> {
  const grouped = new Map<string, Moves[]>();
  for (const move of moves) {
    for (const state of [rows[move].from].flat()) grouped.set(state, [...(grouped.get(state) ?? []), move]);
  }
  return grouped;
}

/** State of a record before its first move. */
export const initialState = "new";

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
