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

type States = string | readonly string[];

/** A function of a record. The method syntax makes its parameters bivariant, so that any machine fits `Machine`. */
type FromRecord<Fields, Rest extends unknown[], Result> = {
  of(record: Stored<Fields>, ...rest: Rest): Result;
}["of"];

export interface Transition<Fields, A, From extends States = States> {
  from: From;
  /** The next state, or a function that computes it from the record and the move's input. */
  to: string | FromRecord<Fields, [input: unknown, account: A], string>;
  /** States that a computed `to` may return. Any other is refused. */
  oneOf?: readonly string[];
  /** Made by the sandbox alone, never by hand. */
  internal?: true;
  /** Is no activity of its own: its effect records one where there is something to see. */
  silent?: true;
  /** Delay in ms after the record has entered `from` at which the clock makes this move. */
  after?: number;
  /** Instant (ms on the account's clock) at which the clock makes this move, or null for never. */
  at?(record: Stored<Fields>): number | null;
  /** Kinds of the events that this transition emits. */
  emits?: string | FromRecord<Fields, [], string | readonly string[] | null>;
  /** Changes what else belongs to the transition: fields of the record, money, messages. */
  effect?(record: Stored<Fields>, account: A, input: unknown): void;
}

interface MachineSpec<Fields, Moves, A, Name extends string> {
  readonly name: Name;
  /** Prefix of the records' ids. */
  readonly prefix: string;
  readonly moves: Moves;
  /** Returns the record as the interface shows it. */
  view(record: Stored<Fields>, account: A): Record<string, unknown>;
  /** Returns what the events carry where that is not the view, with a job id as in verification.completed. */
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
  /** Moves by the state that they leave. */
  readonly from: ReadonlyMap<string, readonly Moves[]>;
  /** The moves of `from` that can be made by hand. A record never begins with one of them. */
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
