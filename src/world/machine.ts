/**
 * A state machine is a flat table with one row a transition, to be laid beside the interface's table.
 * Rows are data; `records.ts` is what applies them.
 */
import type { Account } from "./account.js";

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

export interface Transition<Fields> {
  from: string | readonly string[];
  /** The next state, or what computes it from the record and the move's input. */
  to: string | ((record: Stored<Fields>, input: unknown, account: Account) => string);
  /** Made by the sandbox alone, never by hand. */
  internal?: true;
  /** The clock makes this move so many ms after the record has entered `from`, */
  after?: number;
  /** or at this instant (ms on the account's clock); null: never. */
  at?: (record: Stored<Fields>) => number | null;
  /** The event kinds that leave with this transition. */
  emits?: string | ((record: Stored<Fields>) => string | readonly string[] | null);
  /** What else changes: fields of the record, money, messages. */
  effect?(record: Stored<Fields>, account: Account, input: unknown): void;
}

export interface MachineSpec<Fields, Moves extends string> {
  name: string;
  /** Prefix of the records' ids. */
  prefix: string;
  moves: Readonly<Record<Moves, Transition<Fields>>>;
  /** The record as the interface shows it. */
  view(record: Stored<Fields>, account: Account): Record<string, unknown>;
  /** What its events carry, where that is not the view; with a job id as in verification.completed. */
  event?(record: Stored<Fields>, account: Account): { data: Record<string, unknown>; jobId?: string };
}

export interface Machine<Fields = object, Moves extends string = string> extends MachineSpec<Fields, Moves> {
  /** Moves by the state that they leave. */
  readonly from: ReadonlyMap<string, readonly Moves[]>;
  /** Those of them that can be made by hand. */
  readonly byHand: ReadonlyMap<string, readonly Moves[]>;
}

/** `machine<Fields>()({ name, prefix, moves, view })`: the fields are named, the moves are inferred. */
export const machine =
  <Fields extends object>() =>
  <Moves extends string>(spec: MachineSpec<Fields, Moves>): Machine<Fields, Moves> => {
    const moves = Object.keys(spec.moves) as Moves[];
    const manual = moves.filter((move) => !spec.moves[move].internal);
    return { ...spec, from: groupByState(spec, moves), byHand: groupByState(spec, manual) };
  };

function groupByState<Fields, Moves extends string>(
  spec: MachineSpec<Fields, Moves>,
  moves: readonly Moves[],
): Map<string, Moves[]> {
  const grouped = new Map<string, Moves[]>();
  for (const move of moves) {
    for (const state of [spec.moves[move].from].flat())
      grouped.set(state, [...(grouped.get(state) ?? []), move]);
  }
  return grouped;
}

/** The state that a record is in before its first move. */
export const fresh = "new";

/** A machine whose own types are forgotten, as the control API sees it. */
export type AnyMachine = Machine<object, string>;

/** Machines as one list; their moves are made by name from here on. */
export const forgetTypes = <F, M extends string>(machine: Machine<F, M>): AnyMachine =>
  machine as unknown as AnyMachine;

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
