/** Creates, moves and reads the records of an account that follow a state machine. Writes happen inside a commit. */

import type { Activity } from "../activity/activity.js";
import type { AccountContext } from "./account-context.js";
import { IllegalMove, initialState, type Machine, type Stored } from "./machine.js";

const timerId = (id: string, move: string): string => `${id}:${move}`;

const illegal = <F, M extends string>({ name, byHand }: Machine<F, M>, { id, state }: Stored<F>, move: M) =>
  new IllegalMove(name, id, state, move, byHand.get(state) ?? []);

/** The parts of an account that records need in addition to the shared context. */
export interface RecordsAccount extends AccountContext {
  readonly outbox: {
    emit(
      event: string,
      data: unknown,
      options?: { jobId?: string | undefined; cause?: Activity | undefined },
    ): unknown;
  };
}

export class Records<A extends RecordsAccount = RecordsAccount> {
  constructor(readonly account: A) {}

  get<F>(machine: Machine<F, never> | Machine<F, string>, id: string): Stored<F> | undefined {
    return this.account.state.get<Stored<F>>(machine.name, id);
  }

  /** Yields records, newest first. `containing` filters by a substring of the stored JSON before it is parsed. */
  newest<F, M extends string>(machine: Machine<F, M>, containing = ""): Generator<Stored<F>> {
    return this.account.state.newest<Stored<F>>(machine.name, containing);
  }

  /** Saves changed fields. The state changes only through moves. */
  save<F>(machine: { name: string }, record: Stored<F>): void {
    this.account.state.put(machine.name, record.id, record);
  }

  /** Saves a record whose due times have changed, and reschedules the timers of its state. */
  retime<F, M extends string>(machine: Machine<F, M>, record: Stored<F>): void {
    this.save(machine, record);
    for (const move of machine.from.get(record.state) ?? []) {
      const due = machine.moves[move].at?.(record);
      if (due !== undefined && due !== null) this.#setTimer(machine, record, move, due);
    }
  }

  /** Creates a record with the machine's initial move. */
  start<F extends object, M extends string>(
    machine: Machine<F, M, A>,
    move: M,
    fields: F & { id?: string },
    input?: unknown,
  ): Stored<F> {
    const { account } = this;
    const record = {
      id: account.random.id(machine.prefix),
      state: initialState,
      created_at: account.clock.iso(),
      ...fields,
      history: [],
    } as unknown as Stored<F>;
    return this.move(machine, record, move, input);
  }

  /** Makes a legal move or throws IllegalMove. */
  move<F, M extends string>(
    machine: Machine<F, M, A>,
    record: Stored<F>,
    move: M,
    input?: unknown,
  ): Stored<F> {
    const { account } = this;
    if (!machine.from.get(record.state)?.includes(move)) throw illegal(machine, record, move);
    const row = machine.moves[move];
    const from = record.state;
    const to = typeof row.to === "string" ? row.to : row.to(record, input, account);
    if (row.oneOf && !row.oneOf.includes(to)) throw new Error(`${machine.name}.${move} cannot lead to ${to}`);
    record.state = to;
    record.history.push({ at: account.clock.iso(), move, from, to, by: account.actor });
    if (from !== initialState && from !== to) this.#unschedule(machine, record, from);
    else if (row.at || row.after !== undefined) account.jobs.cancel(timerId(record.id, move));
    row.effect?.(record, account, input);
    if (from !== to) this.#schedule(machine, record);
    this.save(machine, record);
    account.afterCommit(() => account.coverage.moves.add(row, from));
    const moved = row.silent
      ? undefined
      : account.activities.record("move", `${machine.name} ${from} → ${to} by ${move}`, {
          record: record.id,
          machine: machine.name,
        });
    const kinds = (typeof row.emits === "function" ? row.emits(record) : row.emits) ?? [];
    for (const kind of [kinds].flat()) {
      const { data, jobId } = machine.event?.(record, account) ?? { data: machine.view(record, account) };
      account.outbox.emit(kind, data, { jobId, cause: moved });
    }
    return record;
  }

  /** Makes a legal move requested by a tester, or throws IllegalMove, also for internal moves. */
  moveByHand<F, M extends string>(
    machine: Machine<F, M, A>,
    record: Stored<F>,
    move: M,
    input?: unknown,
  ): Stored<F> {
    if (machine.moves[move]?.internal) throw illegal(machine, record, move);
    return this.move(machine, record, move, input);
  }

  #schedule<F, M extends string>(machine: Machine<F, M>, record: Stored<F>): void {
    const { clock } = this.account;
    for (const move of machine.from.get(record.state) ?? []) {
      const { after, at } = machine.moves[move];
      const due = after === undefined ? at?.(record) : clock.now() + after;
      if (due !== undefined && due !== null) this.#setTimer(machine, record, move, due);
    }
  }

  #setTimer<F, M extends string>(machine: Machine<F, M>, { id }: Stored<F>, move: M, due: number): void {
    this.account.jobs.schedule(timerId(id, move), { due, kind: "move", machine: machine.name, id, move });
  }

  #unschedule<F, M extends string>(machine: Machine<F, M>, record: Stored<F>, state: string): void {
    for (const move of machine.from.get(state) ?? []) {
      const { after, at } = machine.moves[move];
      if (after !== undefined || at) this.account.jobs.cancel(timerId(record.id, move));
    }
  }
}
