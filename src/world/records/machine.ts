/**
 * State machines: flat tables with one row per transition, to be laid beside the interface's tables. Rows are data and
 * act on an account of type `A`; `records.ts` applies them.
 */

import type { Static, TLiteral, TNull, TObject, TOptional, TProperties, TSchema, TUnion } from "typebox";
import { toNaira } from "../../contract/money.js";
import { isAmount, isTimestamp, type TTimestamp } from "../../contract/schemas.js";
import { toIso } from "../../time/time.js";

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

/** Types of a machine's records, and of the inputs and targets of its moves. */
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
  /** The next state, or the possible ones, from which `next` picks. Omitted if the state does not change. */
  readonly to?: To & (State | readonly State[]);
  /** Picks the next state. Required if `to` is a list. */
  next?(record: Stored<Fields, State>, input: Input, account: A): ElementOf<To>;
  /** Reads the input of a move by hand, whose form is not known. Refuses with 400 validation_error. */
  input?(given: unknown, record: Stored<Fields, State>, account: A): Input;
  /** Whether only the sandbox may make this move, not a tester. */
  readonly internal?: true;
  /** Whether the move records no activity. Its effect may record one instead. */
  readonly silent?: true;
  /**
   * Sentence for people about a move that was made: what follows the machine's subject, or all of it if there is none.
   * Required unless the move is silent. It has no secrets.
   */
  says?: string | TextOf<Stored<Fields, State>, A>;
  /** Instant (ms on the account's clock) at which the clock makes this move, or null for never. */
  at?(record: Stored<Fields, State>): number | null;
  /** Like `says`, but in the present tense, about a move that the clock is about to make. Required with `at`. */
  due?: string | TextOf<Stored<Fields, State>, A>;
  /** Kinds of the events that this move can emit. */
  readonly emits?: Kind | readonly Kind[];
  /** Picks the events that have happened from `emits`. Default: all of them. */
  emitted?(record: Stored<Fields, State>): readonly Kind[];
  /** Applies side effects of the transition, such as changed fields, ledger entries and messages. */
  effect?(record: Stored<Fields, State>, account: A, input: Input): void;
}
/** A row of a machine. Its texts are whole sentences. */
export interface AnyTransition
  extends Omit<Transition<unknown, string, unknown, string, unknown, unknown>, "says" | "due"> {
  says?: TextOf<Entity, unknown>;
  due?: TextOf<Entity, unknown>;
}

/** Formats a record. Its parameters are bivariant, as in the methods of a row. */
type TextOf<R, A> = { of(record: R, account: A): string }["of"];

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

/** Fields of a reply that every record has under another form: its id, its state and the time when it was created. */
type EntityField = "id" | "status" | "created_at";

/** A field as it is stored: times in ms on the account's clock, amounts in kobo. */
type StoredForm<S> =
  S extends TUnion<[infer Present extends TSchema, TNull]>
    ? StoredForm<Present> | null
    : S extends TTimestamp
      ? number
      : S extends TSchema
        ? Static<S>
        : never;

/** The fields of a record: the shown ones in the form in which they are stored, and the hidden ones. */
type RecordFields<Shown, Hidden, Computed> = {
  [Field in keyof Shown as Field extends EntityField | Computed
    ? never
    : Shown[Field] extends TLiteral
      ? never
      : Field]: StoredForm<Shown[Field]>;
} & { [Field in keyof Hidden as IfOptional<Hidden[Field], never, Field>]: StoredForm<Hidden[Field]> } & {
  [Field in keyof Hidden as IfOptional<Hidden[Field], Field, never>]?: StoredForm<Hidden[Field]>;
};

type IfOptional<S, Then, Else> = S extends TOptional<TSchema> ? Then : Else;

type StatusIn<Shown> = Shown extends { status: infer S extends TSchema } ? Static<S> & string : string;

/** Functions that compute fields of a reply. */
type FieldViews<Shown extends TProperties, R, A> = {
  readonly [Field in keyof Shown]?: (record: R, account: A) => Static<Shown[Field]>;
};

/** The record of a machine: its stored fields, its states and how it is shown. */
export interface RecordKind<Fields, State extends string, View> {
  readonly states: readonly State[];
  readonly view: View;
  /** Exists only as a type and never has a value. */
  readonly types?: { fields: Fields; state: State };
}
export type RecordIn<Kind> =
  Kind extends RecordKind<infer Fields, infer State, unknown> ? Stored<Fields, State> : never;

/** Derives the record of a machine from the schema of the reply that shows it. */
export type RecordMaker<A> = <
  Shown extends TProperties,
  Hidden extends TProperties = Record<never, never>,
  const State extends string = StatusIn<Shown>,
  View = Record<never, never>,
>(
  schema: TObject<Shown>,
  spec?: {
    /** Schemas of fields that are stored and not shown. */
    hidden?: Hidden;
    /** Fields that the reply begins with. The others follow in the order of the schema. */
    first?: readonly (keyof Shown & string)[];
    /** Default: the values of `status`. */
    states?: readonly State[];
    /**
     * Functions of the computed fields. The type of their parameter has these fields too, because it cannot depend on
     * the functions themselves.
     */
    view?: View & FieldViews<Shown, Stored<RecordFields<Shown, Hidden, never>, State>, A>;
  },
) => RecordKind<
  RecordFields<Shown, Hidden, keyof View>,
  State,
  (
    record: Stored<RecordFields<Shown, Hidden, keyof View>, State>,
    account?: A,
  ) => { [Field in keyof Shown]: Static<Shown[Field]> }
>;

/**
 * Binds the account that records belong to. A field of the schema is stored under its name, as it is (times in ms, amounts
 * in kobo), unless `view` computes it or it is a constant.
 */
export const recordFor =
  <A>(): RecordMaker<A> =>
  (schema, spec = {}) => {
    const { first = [], view = {} } = spec;
    return {
      states: spec.states ?? (schema.properties.status as { enum?: readonly string[] } | undefined)?.enum,
      view: viewOf(schema.properties, first, view as Readonly<Record<string, FieldView>>),
    } as never;
  };

type FieldView = (record: Entity & Readonly<Record<string, unknown>>, account: unknown) => unknown;

/** Returns the function that shows a record as its schema says. */
function viewOf(
  shown: TProperties,
  first: readonly string[],
  computed: Readonly<Record<string, FieldView>>,
): AnyMachine["view"] {
  const names = new Set([...first, ...Object.keys(shown)]);
  const fields = [...names].map(
    (name) => [name, computed[name] ?? fieldView(name, shown[name] as TSchema)] as const,
  );
  return (record, account) => {
    const view: Record<string, unknown> = {};
    for (const [name, show] of fields) view[name] = show(record as never, account);
    return view;
  };
}

function fieldView(name: string, schema: TSchema): FieldView {
  if (name === "status") return ({ state }) => state;
  if (name === "created_at") return ({ created_at }) => created_at;
  if ("const" in schema) return () => schema.const;
  const [present = schema] = (schema as { anyOf?: readonly TSchema[] }).anyOf ?? [];
  const toShown = isTimestamp(present) ? toIso : isAmount(present) ? toNaira : null;
  if (toShown === null) return (record) => record[name];
  return (record) => (record[name] === null ? null : toShown(record[name] as number));
}

/** Returns the kind of a record that is shown in several forms: its fields are a type, its view is a function. */
export const recordOf =
  <Fields extends object>() =>
  <const State extends string, View>(kind: {
    readonly states: readonly State[];
    readonly view: View;
  }): RecordKind<Fields, State, View> =>
    kind;

/**
 * Binds the account that moves act on and the kinds of events. `machine(record, { name, prefix, moves })` then defines a
 * machine. States and kinds in its rows are checked; inputs and next states of its moves are inferred.
 */
export const machineFor =
  <A, Kind extends string>() =>
  <
    Fields extends object,
    State extends string,
    View,
    const Name extends string,
    const From,
    const To,
    const Internal,
    Input,
    const Index extends keyof Stored<Fields> & string = never,
  >(
    record: RecordKind<Fields, State, View>,
    spec: {
      name: Name;
      prefix: string;
      index?: readonly Index[];
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
      event?(record: Stored<Fields, State>, account: A): EventFacts | null;
      /** Formats the record as the subject of the sentences about its moves. */
      subject?(record: Stored<Fields, State>, account: A): string;
    },
  ) => {
    type ByHand = {
      [M in keyof From & string]: From[M] extends typeof initialState
        ? never
        : FieldOf<Internal, M> extends true
          ? never
          : M;
    }[keyof From & string];
    const rows = Object.entries<SpokenRow>(spec.moves as never).map(
      ([move, row]) => [move, withSentences(row, spec.subject as never)] as const,
    );
    const byHand = rows.filter(([, { from, internal }]) => !internal && from !== initialState);
    return {
      ...record,
      ...spec,
      moves: Object.fromEntries(rows),
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

type Spoken = string | TextOf<Entity, unknown>;
type SpokenRow = Omit<AnyTransition, "says" | "due"> & { says?: Spoken; due?: Spoken };

/** Returns a row whose texts are sentences, which begin with the subject if there is one. */
function withSentences(
  { says, due, ...row }: SpokenRow,
  subject: TextOf<Entity, unknown> | undefined,
): AnyTransition {
  const sentence =
    (spoken: Spoken): TextOf<Entity, unknown> =>
    (record, account) => {
      const text = typeof spoken === "string" ? spoken : spoken(record, account);
      return subject ? `${subject(record, account)} ${text}.` : text;
    };
  return { ...row, ...(says && { says: sentence(says) }), ...(due && { due: sentence(due) }) };
}

function movesByState(rows: readonly (readonly [move: string, row: AnyTransition])[]): Map<string, string[]> {
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
