/** Databases for tests on the PostgreSQL server of this run: a schema for each test, and replicas that share it. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { startSandbox } from "../../src/index.js";
import { type Program, startProgram } from "./program.js";

/** A schema of its own on the server. */
export interface TestDatabase {
  /** Value of `--store`. */
  url: string;
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Returns a connection of its own, for transactions. The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  drop(): Promise<void>;
}

/** Creates an empty schema on the server of this run, or on another one. The caller drops it. */
export async function createDatabase(server = inject("postgresUrl")): Promise<TestDatabase> {
  const schema = `standin_test_${randomBytes(6).toString("hex")}`;
  const pool = new pg.Pool({ connectionString: server, max: 2, options: `-c search_path=${schema}` });
  // The server ends connections when it stops.
  pool.on("error", () => {});
  await pool.query(`CREATE SCHEMA ${schema}`);
  const url = new URL(server);
  url.searchParams.set("search_path", schema);
  return {
    url: url.href,
    query: async (text, values) => (await pool.query(text, values)).rows,
    connect: () => pool.connect(),
    async drop() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

/** Creates an empty schema that is dropped at the end of the test. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  const database = await createDatabase(server);
  onTestFinished(() => database.drop());
  return database;
}

/** Starts the program on the database. It is killed at the end of the test if it is still running. */
export async function startReplica({ url }: Pick<TestDatabase, "url">, ...flags: string[]): Promise<Program> {
  const program = await startProgram(["--store", url, ...flags]);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  return program;
}

/** Returns an account at the replica whose requests end after `ms` without a reply: one that is stopped never answers. */
export const withTimeout = ({ url }: Program, key: string, ms: number): SandboxAccount =>
  new SandboxAccount({
    baseUrl: url,
    key,
    fetch: (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(ms) }),
  });

/** Starts sandboxes of this process on the database. They are closed at the end of the test. */
export async function startReplicasHere({ url }: TestDatabase, count: number) {
  const replicas = [];
  for (let i = 0; i < count; i++) {
    const replica = await startSandbox({ store: url, validateReplies: true, warn: () => {} });
    onTestFinished(() => replica.close());
    replicas.push(replica);
  }
  return replicas as [Replica, Replica, ...Replica[]];
}

type Replica = Awaited<ReturnType<typeof startSandbox>>;
