/**
 * State machines: flat tables with one row per transition, to be laid beside the interface's tables. Rows are data and
 * act on an account of type `A`; `records.ts` applies them.
 */

export interface HistoryStep {
  at: string;
  move: string;
  from: string;
  to: string;
  /** Actor of the move: api, clock, control or page. */
  by: string;
}

export interface Entity<State extends string = string> {
  id: string;
  state: State;
  created_at: string;
  history: HistoryStep[];
}
export type Stored<Fields, State extends string = string> = Entity<State> & Fields;

/** State of a record before its first move. */
export const initialState = "new";

/** The type of what a machine's records have in common with each other, and of what its moves take and lead to. */
interface MachineTypes {
  fields: object;
  state: string;
  /** Inputs by move; unknown for moves without input. */
  inputs: object;
  /** The next state by move, or the possible ones. */
  targets: object;
  /** Moves that a tester can make. */
  byHand: string;
  /** Fields by which records are searched. */
  index: string;
}

/** One row of the table. The method syntax makes parameters bivariant, so that any row is an `AnyTransition`. */
export interface Transition<Fields, State extends string, A, Kind extends string, To, Input> {
  readonly from: typeof initialState | State | readonly State[];
  /** The next state, or the possible ones, of which `next` picks. Omitted if the state stays as it is. */
  readonly to?: To & (State | readonly State[]);
  /** Picks the next state. Required if `to` is a list. */
  next?(record: Stored<Fields, State>, input: Input, account: A): ElementOf<To>;
  /** Reads the input of a move by hand, whose form is not known. Refuses with 400 validation_error. */
  input?(given: unknown, record: Stored<Fields, State>, account: A): Input;
  /** Whether only the sandbox may make this move, not a tester. */
  readonly internal?: true;
  /** Whether the move records no activity. Its effect may record one instead. */
  readonly silent?: true;
  /** Formats what has happened as a sentence for people, once the move is made. Required unless the move is silent. It has no secrets. */
  says?(record: Stored<Fields, State>, account: A): string;
  /** Instant (ms on the account's clock) at which the clock makes this move, or null for never. */
  at?(record: Stored<Fields, State>): number | null;
  /** Kinds of the events that this move can emit. */
  readonly emits?: Kind | readonly Kind[];
  /** Picks the events that have happened, from those of `emits`. Default: all of them. */
  emitted?(record: Stored<Fields, State>): readonly Kind[];
  /** Applies side effects of the transition, such as changed fields, ledger entries and messages. */
  effect?(record: Stored<Fields, State>, account: A, input: Input): void;
}
export type AnyTransition = Transition<unknown, string, unknown, string, unknown, unknown>;

type ElementOf<T> = T extends readonly (infer Element)[] ? Element : T;

/** Payload and recipient of an event. */
export interface EventFacts {
  data: Record<string, unknown>;
  /** Job id, as in verification.completed. */
  jobId?: string;
  /** A destination that is not a registered endpoint. */
  alsoTo?: { id: string; url: string };
}

/** A machine without the types of its records and moves. */
export interface AnyMachine {
  readonly name: string;
  /** Prefix of the records' ids. */
  readonly prefix: string;
  /** Fields by which its records are searched. */
  readonly index?: readonly string[];
  readonly states: readonly string[];
  readonly moves: Readonly<Record<string, AnyTransition>>;
  /** Moves by the state that they start from. */
  readonly from: ReadonlyMap<string, readonly string[]>;
  /** The moves from each state that a tester can make. The initial move is never among them. */
  readonly byHand: ReadonlyMap<string, readonly string[]>;
  /** Kinds of the events that its moves can emit. */
  readonly events: readonly string[];
  /** Returns the record as the interface shows it. */
  view(record: Entity, account: unknown): Record<string, unknown>;
  /** Returns the event of a move, or null if there is none. Default: the view. */
  event?(record: Entity, account: unknown): EventFacts | null;
}

export interface Machine<Name extends string, Kind extends string, View, Types extends MachineTypes>
  extends Omit<AnyMachine, "view"> {
  readonly name: Name;
  readonly states: readonly Types["state"][];
  readonly moves: Readonly<Record<keyof Types["targets"] & string, AnyTransition>>;
  readonly events: readonly Kind[];
  readonly view: View;
  /** Exists only as a type and never has a value. */
  readonly types?: Types;
}

type TypesOf<M extends AnyMachine> = M extends { readonly types?: infer Types extends MachineTypes }
  ? Types
  : MachineTypes;
type FieldOf<T, Key> = Key extends keyof T ? T[Key] : unknown;
export type FieldsOf<M extends AnyMachine> = TypesOf<M>["fields"];
export type StateOf<M extends AnyMachine> = TypesOf<M>["state"];
export type MoveOf<M extends AnyMachine> = keyof M["moves"] & string;
export type IndexOf<M extends AnyMachine> = TypesOf<M>["index"];
export type ByHandOf<M extends AnyMachine> = TypesOf<M>["byHand"];
/** A record of the machine, in any of its states or in the given ones. */
export type RecordOf<M extends AnyMachine, State extends string = StateOf<M>> = Stored<FieldsOf<M>, State>;
/** A record after a move. */
export type MovedRecord<M extends AnyMachine, Move> = RecordOf<
  M,
  StateOf<M> & ElementOf<FieldOf<TypesOf<M>["targets"], Move>>
>;
/** The arguments of a move: its input, if it has one. */
export type InputOf<M extends AnyMachine, Move> =
  unknown extends FieldOf<TypesOf<M>["inputs"], Move> ? [] : [input: FieldOf<TypesOf<M>["inputs"], Move>];

/**
 * Binds the account that moves act on and the kinds of events. `machine<Fields>()({ name, prefix, states, moves, view })`
 * then defines a machine. States and kinds in its rows are checked; inputs and next states of its moves are inferred.
 */
export const machineFor =
  <A, Kind extends string>() =>
  <Fields extends object>() =>
  <
    const Name extends string,
    const State extends string,
    const From,
    const To,
    const Internal,
    Input,
    View extends (record: Stored<Fields, State>, account: A) => Record<string, unknown>,
    const Index extends keyof Stored<Fields> & string = never,
  >(spec: {
    name: Name;
    prefix: string;
    index?: readonly Index[];
    states: readonly State[];
    moves: {
      readonly [M in keyof To]: Transition<Fields, State, A, Kind, To[M], FieldOf<Input, M>>;
    } & {
      readonly [M in keyof Input]: Pick<
        Transition<Fields, State, A, Kind, State, Input[M]>,
        "input" | "next" | "effect"
      >;
    } & {
      readonly [M in keyof From]: { from: From[M] };
    } & { readonly [M in keyof Internal]: { internal?: Internal[M] } };
    view: View;
    event?(record: Stored<Fields, State>, account: A): EventFacts | null;
  }) => {
    type ByHand = {
      [M in keyof From & string]: From[M] extends typeof initialState
        ? never
        : FieldOf<Internal, M> extends true
          ? never
          : M;
    }[keyof From & string];
    const rows = Object.entries<AnyTransition>(spec.moves as never);
    const byHand = rows.filter(([, { from, internal }]) => !internal && from !== initialState);
    return {
      ...spec,
      from: movesByState(rows),
      byHand: movesByState(byHand),
      events: [...new Set(rows.flatMap(([, { emits = [] }]) => emits))],
    } as unknown as Machine<
      Name,
      Kind,
      View,
      {
        fields: Fields;
        state: State;
        inputs: Input & object;
        targets: To & object;
        byHand: ByHand;
        index: Index;
      }
    >;
  };

function movesByState(rows: readonly [move: string, row: AnyTransition][]): Map<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const [move, { from }] of rows) {
    for (const state of [from].flat()) grouped.set(state, [...(grouped.get(state) ?? []), move]);
  }
  return grouped;
}

/** Returns the states that a row of a machine's table can lead to from one of its states. */
export const targetsOf = ({ to = [] }: Pick<AnyTransition, "to">, from: string): string[] =>
  to.length === 0 ? [from] : [to].flat();

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
