/** Creates, moves and reads the records of an account that follow a state machine. Writes happen inside a commit. */

import type { Activity } from "../activity/activity.js";
import type { Table, Where } from "../store/table.js";
import type { AccountContext } from "./account-context.js";
import {
  type AnyMachine,
  type Entity,
  type FieldsOf,
  IllegalMove,
  type IndexOf,
  type InputOf,
  initialState,
  type MovedRecord,
  type MoveOf,
  type RecordOf,
} from "./machine.js";

const timerId = (id: string, move: string): string => `${id}:${move}`;

/** The parts of an account that records need in addition to the shared context. */
export interface RecordsAccount extends AccountContext {
  readonly outbox: {
    emit(
      event: string,
      data: unknown,
      options?: {
        jobId?: string | undefined;
        cause?: Activity | undefined;
        alsoTo?: { id: string; url: string } | undefined;
      },
    ): unknown;
  };
}

/** Returns the table of a machine's records, which has the machine's name. */
const tableOf = <M extends AnyMachine>(machine: M): Table<Record<string, RecordOf<M>>, IndexOf<M>> => machine;

export class Records {
  constructor(readonly account: RecordsAccount) {}

  get<M extends AnyMachine>(machine: M, id: string): RecordOf<M> | undefined {
    return this.account.state.get(tableOf(machine), id);
  }

  /** Yields the records with these values of indexed fields, newest first. */
  newest<M extends AnyMachine>(machine: M, where?: Where<RecordOf<M>, IndexOf<M>>): Generator<RecordOf<M>> {
    return this.account.state.newest(tableOf(machine), where);
  }

  /** Saves changed fields. The state changes only through moves. */
  save<M extends AnyMachine>(machine: M, record: RecordOf<M>): void {
    this.account.state.put(tableOf(machine), record.id, record);
  }

  /** Removes the oldest records if there are many more than `limit`, except for records with the values of `kept`. */
  trim<M extends AnyMachine>(machine: M, limit: number, kept: Where<RecordOf<M>, IndexOf<M>>): void {
    this.account.state.trim(tableOf(machine), limit, kept);
  }

  /** Saves a record whose due times have changed, and reschedules the timers of its state. */
  retime<M extends AnyMachine>(machine: M, record: RecordOf<M>): void {
    this.save(machine, record);
    this.#schedule(machine, record);
  }

  /** Creates a record with the machine's initial move. */
  start<M extends AnyMachine, Move extends MoveOf<M>>(
    machine: M,
    move: Move,
    fields: FieldsOf<M> & { id?: string },
    ...[input]: InputOf<M, Move>
  ): MovedRecord<M, Move> {
    const { random, clock } = this.account;
    const record = {
      id: random.id(machine.prefix),
      state: initialState,
      created_at: clock.iso(),
      ...fields,
      history: [],
    };
    this.#move(machine, record, move, input);
    return record as unknown as MovedRecord<M, Move>;
  }

  /** Makes a legal move or throws IllegalMove. */
  move<M extends AnyMachine, Move extends MoveOf<M>>(
    machine: M,
    record: RecordOf<M>,
    move: Move,
    ...[input]: InputOf<M, Move>
  ): MovedRecord<M, Move> {
    this.#move(machine, record, move, input);
    return record as unknown as MovedRecord<M, Move>;
  }

  /** Makes a move that has fallen due. Such moves have no input. */
  moveByClock(machine: AnyMachine, record: Entity, move: string): void {
    this.#move(machine, record, move, undefined);
  }

  /** Makes a legal move requested by a tester, or throws IllegalMove, also for internal moves. */
  moveByHand(machine: AnyMachine, record: Entity, move: string, given?: unknown): void {
    if (!machine.byHand.get(record.state)?.includes(move)) throw illegal(machine, record, move);
    this.#move(machine, record, move, machine.moves[move]?.input?.(given, record, this.account));
  }

  #move(machine: AnyMachine, record: Entity, move: string, input: unknown): void {
    const { account } = this;
    const row = machine.moves[move];
    const from = record.state;
    if (!row || !machine.from.get(from)?.includes(move)) throw illegal(machine, record, move);
    const to = String(row.next?.(record, input, account) ?? row.to ?? from);
    record.state = to;
    record.history.push({ at: account.clock.iso(), move, from, to, by: account.actor });
    if (from !== initialState && from !== to) this.#unschedule(machine, record, from);
    else if (row.at) account.jobs.cancel(timerId(record.id, move));
    row.effect?.(record, account, input);
    if (from !== to) this.#schedule(machine, record);
    this.save(machine, record);
    account.afterCommit(() => account.coverage.moves.of(row).add(from));
    const moved = row.silent
      ? undefined
      : account.activities.recordMove(
          { name: move, from, to },
          row.says?.(record, account) ?? `${machine.name} ${record.id} is ${to}.`,
          { record: record.id, machine: machine.name },
        );
    for (const kind of row.emitted?.(record) ?? [row.emits ?? []].flat())
      this.#emit(machine, record, kind, moved);
  }

  #emit(machine: AnyMachine, record: Entity, kind: string, cause: Activity | undefined): void {
    const { account } = this;
    const facts = machine.event ? machine.event(record, account) : { data: machine.view(record, account) };
    if (facts) account.outbox.emit(kind, facts.data, { jobId: facts.jobId, alsoTo: facts.alsoTo, cause });
  }

  #schedule(machine: AnyMachine, record: Entity): void {
    for (const move of machine.from.get(record.state) ?? []) {
      const due = machine.moves[move]?.at?.(record) ?? null;
      if (due === null) continue;
      const job = { due, kind: "move", machine: machine.name, id: record.id, move };
      this.account.jobs.schedule(timerId(record.id, move), job);
    }
  }

  #unschedule(machine: AnyMachine, { id }: Entity, state: string): void {
    for (const move of machine.from.get(state) ?? [])
      if (machine.moves[move]?.at) this.account.jobs.cancel(timerId(id, move));
  }
}

const illegal = ({ name, byHand }: AnyMachine, { id, state }: Entity, move: string) =>
  new IllegalMove(name, id, state, move, byHand.get(state) ?? []);
