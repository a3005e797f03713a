/** The tables of the store, by version. A version is never changed once it is released: changes are appended. */
import type { PoolClient } from "pg";
import { randomHex } from "../../../time/random.js";
import { StoreError } from "../store.js";
import type { Database } from "./database.js";

const migrations: readonly string[] = [
  `
  CREATE TABLE standin_meta (version integer NOT NULL, secret text NOT NULL);
  CREATE SEQUENCE standin_epoch;
  CREATE SEQUENCE standin_document_version;
  -- A replica is alive while its row exists. Whoever finds its lease expired deletes the row before it takes accounts over.
  CREATE TABLE standin_replica (
    id text PRIMARY KEY,
    url text,
    lease_until timestamptz NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE standin_account (
    id text COLLATE "C" PRIMARY KEY,
    owner text,
    epoch bigint NOT NULL,
    -- Real time in ms at which the earliest job is due: it may be too early, but never too late.
    due_at bigint,
    -- Version of the document, and sequence of the last journal line that it contains.
    document bigint NOT NULL DEFAULT 0,
    folded bigint NOT NULL DEFAULT 0,
    used_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 70);
  CREATE INDEX standin_account_due ON standin_account (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX standin_account_owner ON standin_account (owner);
  CREATE TABLE standin_journal (
    account text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    epoch bigint NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (account, sequence)
  );
  CREATE TABLE standin_document (
    account text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    part integer NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (account, version, part)
  );
  `,
  `
  -- Whether the account takes one of the places of --max-accounts, for the time until its first line is written.
  ALTER TABLE standin_account ADD COLUMN admitted boolean NOT NULL DEFAULT false;
  -- Advisory lock that the session of the replica's renewals holds until it ends. Null if it has none.
  ALTER TABLE standin_replica ADD COLUMN session_lock bigint;
  `,
];

const existingTables = `SELECT relname AS name FROM pg_class
  WHERE relname IN ('standin_meta', 'standin_replica', 'standin_account', 'standin_journal', 'standin_document')
    AND pg_table_is_visible(oid) ORDER BY relname`;

/** Advisory lock that lets one replica migrate at a time. */
const migrationLock = 7_241_903_655;

export interface Migrated {
  /** Whether the tables were created now. */
  isNew: boolean;
  /** Secret that all replicas share. */
  secret: string;
}

/** Brings the tables to this version's form. Throws a StoreError if a later version has changed them. */
export const migrate = ({ pool }: Database): Promise<Migrated> =>
  inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    const { rows: tables } = await client.query(existingTables);
    const isNew = tables.length === 0;
    const hasMeta = tables.some(({ name }) => name === "standin_meta");
    const { rows } = hasMeta ? await client.query("SELECT version, secret FROM standin_meta") : { rows: [] };
    if (!isNew && rows.length === 0)
      throw new StoreError(
        `the database has the tables ${tables.map(({ name }) => name).join(", ")}, but ${hasMeta ? "standin_meta has no row" : "not standin_meta"}, which contains their version; restore a backup, or drop them and the sequences standin_epoch and standin_document_version to start over`,
      );
    const { version = 0, secret = randomHex(32) } = rows[0] ?? {};
    if (version > migrations.length)
      throw new StoreError(
        `the database has tables of version ${version}, and this release of Standin knows version ${migrations.length}; install the release that the other replicas run`,
      );
    for (const statements of migrations.slice(version)) await client.query(statements);
    if (isNew) await client.query("INSERT INTO standin_meta VALUES ($1, $2)", [migrations.length, secret]);
    else if (version < migrations.length)
      await client.query("UPDATE standin_meta SET version = $1", [migrations.length]);
    return { isNew, secret };
  });

/** Runs `run` in a transaction on its own connection. */
export async function inTransaction<T>(
  pool: Database["pool"],
  run: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await run(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // The connection is closed, which also ends the transaction.
    client.release(true);
    throw error;
  }
}
