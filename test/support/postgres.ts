/** Databases for tests on the PostgreSQL server of this run: a schema for each test, and replicas that share it. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { type Program, startProgram } from "./program.js";

/** A schema of its own on the server. */
export interface TestDatabase {
  /** Value of `--store`. */
  url: string;
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates an empty schema. The caller drops it. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
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
    async drop() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

/** Creates an empty schema that is dropped at the end of the test. */
export async function freshDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Starts the program on the database. It is killed at the end of the test if it is still running. */
export async function startReplica({ url }: Pick<TestDatabase, "url">, ...flags: string[]): Promise<Program> {
  const program = await startProgram(["--store", url, ...flags]);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  return program;
}
