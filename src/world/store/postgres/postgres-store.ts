/** A store that several sandboxes share, on PostgreSQL. docs/postgresql.md shows why it is safe. */
import { createHmac } from "node:crypto";
import { Slots } from "../../../time/slots.js";
import { afterTick, realNow, second } from "../../../time/time.js";
import type { LogWriter } from "../log.js";
import type { State } from "../state.js";
import {
  type Cluster,
  LeaseExpired,
  type OpenedAccount,
  OwnedElsewhere,
  type Replica,
  type Store,
  StoreError,
} from "../store.js";
import { ownTable } from "../table.js";
import { cutOff, foldIfLong, readRows } from "./account-rows.js";
import { connectDatabase, type Database, withoutPassword } from "./database.js";
import { GroupCommit } from "./group-commit.js";
import { type Migrated, migrate } from "./migrations.js";
import { acquire, admit, claimDue, findUnused, noteUse, type Released, release } from "./ownership.js";
import { PostgresLog } from "./postgres-log.js";
import { ReplicaLease } from "./replica-lease.js";

export interface PostgresStoreOptions {
  /** URL of the database. */
  address: string;
  warn(message: string): void;
}

/** Time in ms by which due accounts are claimed early, so that their jobs are not late. */
const claimAheadMs = 2 * second;
/** Maximum number of accounts opened concurrently. Each may take a connection several times. */
const maxOpening = 64;

/** Codes of errors about certificates that no known authority has signed. */
const unknownAuthority = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/;

/** Returns the error of a request that needs the database. */
const toStoreError = (error: unknown): Error =>
  error instanceof StoreError || error instanceof OwnedElsewhere
    ? error
    : new StoreError(`PostgreSQL cannot be used (${(error as Error).message})`);

export class PostgresStore implements Store, LogWriter, Cluster {
  readonly evicts = true;
  readonly cluster = this;
  readonly runId: string;
  readonly secret: string;
  readonly #lease: ReplicaLease;
  readonly #commits: GroupCommit;
  /** Logs of all accounts in memory. */
  readonly #logs = new Set<PostgresLog>();
  readonly #opening = new Slots(maxOpening);
  #released: PostgresLog[] = [];
  /** Accounts that are released with the next ones, because PostgreSQL could not be reached. */
  #unreleased: Released[] = [];
  #releasing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;
  readonly counts = { opened: 0, lost: 0 };
  /** Why the last account could not be opened, which the operator has been told. Null once one was opened. */
  #problem: string | null = null;

  /** Connects, migrates the tables and registers this replica, or throws a StoreError. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const database = await connectDatabase(options.address, options.warn);
    try {
      const store = new PostgresStore(database, await migrate(database), options);
      await store.#lease.start();
      return store;
    } catch (error) {
      await database.close().catch(() => {});
      if (error instanceof StoreError) throw error;
      const { code = "", message } = error as NodeJS.ErrnoException;
      const advice = unknownAuthority.test(code)
        ? "; sslrootcert=/file in the URL names the certificate of the authority that signed the server's"
        : "";
      throw new StoreError(
        `the store ${withoutPassword(options.address)} cannot be used (${message || code})${advice}`,
      );
    }
  }

  constructor(
    readonly database: Database,
    { isNew, secret }: Migrated,
    readonly options: PostgresStoreOptions,
  ) {
    this.secret = secret;
    this.#commits = new GroupCommit(database.commits);
    this.#lease = new ReplicaLease(database, () => this.#loseAll(), options.warn);
    this.runId = isNew ? "" : this.#lease.id;
  }

  /** Derives the seed from the shared secret, so that all replicas have the same seed without another table. */
  seed(): string {
    return createHmac("sha256", this.secret).update("standin seed").digest("hex");
  }

  get replicaId(): string {
    return this.#lease.id;
  }

  get hasLease(): boolean {
    return this.#lease.isHeld;
  }

  get isLive(): boolean {
    return this.#lease.isLive;
  }

  whenLive(callback: (error: Error | null) => void): void {
    this.#lease.whenLive(callback);
  }

  async open(id: string, state: State, lost: (error: Error) => void): Promise<OpenedAccount> {
    await this.#opening.enter();
    try {
      const own = await this.#lease.liveId();
      const ownership = await acquire(this.database, id, own);
      const rows = await readRows(this.database, ownership, state);
      if (rows.isCutOff) await cutOff(this.database, ownership, rows.sequence);
      const log = new PostgresLog(this, ownership, rows, state, (error) => {
        this.counts.lost++;
        // The due time noted for the next line may be later than a job in the stored state.
        this.#commits.takeDue(id);
        this.#logs.delete(log);
        lost(error);
      });
      // The lease has expired, so another replica may own the account.
      if (own !== this.#lease.id) throw new LeaseExpired();
      this.#logs.add(log);
      this.counts.opened++;
      this.#problem = null;
      return { log, known: state.size(ownTable) > 0 };
    } catch (error) {
      throw this.#reported(toStoreError(error));
    } finally {
      this.#opening.leave();
    }
  }

  /** Tells the operator why an account could not be opened, unless that is known already. A lease reports its own end. */
  #reported(error: Error): Error {
    if (!(error instanceof StoreError) || error instanceof LeaseExpired) return error;
    if (this.#problem !== error.message) this.options.warn(error.message);
    this.#problem = error.message;
    error.isReported = true;
    return error;
  }

  requestLog(): null {
    return null;
  }

  noteDue(id: string, due: number | null): void {
    this.#commits.noteDue(id, due);
  }

  async dueAccounts(): Promise<Iterable<readonly [id: string, due: number]>> {
    this.#releaseAll();
    return claimDue(this.database, await this.#lease.liveId(), realNow() + claimAheadMs);
  }

  admit(id: string, max: number): Promise<boolean> {
    return admit(this.database, id, max).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }

  unusedSince(since: number): Promise<string[]> {
    return findUnused(this.database, realNow() - since);
  }

  /** Deletes the rows of an account that has just been closed, instead of releasing it. */
  remove(id: string, since: number): void {
    for (const log of this.#released)
      if (log.id === id && log.ownership.lastUsed <= since) log.isRemoved = true;
  }

  commitSoon(log: PostgresLog): void {
    this.#commits.commitSoon(log);
  }

  /** Releases the account in the database once its last line is there. */
  release(log: PostgresLog): void {
    this.#logs.delete(log);
    if (log.isLost) return;
    log.whenCommitted((error) => {
      if (error) {
        this.#commits.takeDue(log.id);
        this.#unreleased.push({ id: log.id, epoch: log.epoch, due: undefined, isGone: false });
        return;
      }
      this.#released.push(log);
      if (this.#released.length === 1) afterTick(() => this.#releaseAll());
    });
  }

  async compact(): Promise<void> {
    await noteUse(this.database, this.#lease.id);
    for (const log of [...this.#logs]) await foldIfLong(this.database, log);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#commits.settled();
    this.#releaseAll();
    await this.#releasing;
    await this.#lease.stop().catch(() => {});
    await this.database.close();
  }

  announce(url: string): Promise<void> {
    return this.#lease.announce(url);
  }

  watch(replica: string, onGone: () => void): () => void {
    return this.#lease.watch(replica, onGone);
  }

  suspect(replica: string): Promise<void> {
    return this.#lease.suspect(replica);
  }

  async has(id: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query("SELECT FROM standin_account WHERE id = $1", [id]);
    return rowCount === 1;
  }

  async replicas(): Promise<Replica[]> {
    const { rows } = await this.database.pool.query(`
      SELECT r.id, r.url, r.started_at, greatest(0, extract(epoch FROM r.lease_until - clock_timestamp()) * 1000)::integer AS lease_ms,
        (SELECT count(*)::integer FROM standin_account a WHERE a.owner = r.id) AS accounts
      FROM standin_replica r ORDER BY r.started_at`);
    return rows.map(({ started_at, ...row }) => ({ ...row, started_at: started_at.toISOString() }));
  }

  /** Loses all accounts after the lease has expired, because each may have another owner. */
  #loseAll(): void {
    const error = new LeaseExpired();
    for (const log of [...this.#logs]) log.fail(error);
  }

  #releaseAll(): void {
    const released = this.#unreleased;
    for (const { id, epoch, sequence, isRemoved } of this.#released)
      released.push({ id, epoch, due: this.#commits.takeDue(id), isGone: sequence === 0 || isRemoved });
    this.#released = [];
    this.#unreleased = [];
    if (released.length === 0) return;
    this.#releasing = this.#releasing
      .then(() => release(this.database, released))
      .catch(() => void this.#unreleased.push(...released));
  }
}
