/**
 * Starts a PostgreSQL server before the tests that need one, and stops it after them. A server of the tester's own is
 * used instead if STANDIN_TEST_POSTGRES has its URL; tests create schemas in it and remove them.
 */
import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { createPostgresServer, type PostgresServer } from "./postgres-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server. Undefined if no test needs it. */
    postgresUrl: string;
  }
}

let server: PostgresServer | null = null;

/** How test files name the server's users: databases, and the kinds of stores. */
const serverUsers = /support\/postgres\.js|\bstoreKinds\b/;

const needsServer = (testFile: string): boolean => serverUsers.test(readFileSync(testFile, "utf8"));

export async function setup(project: TestProject): Promise<void> {
  const { projects, state } = project.vitest;
  const stores = projects.map(({ config }) => config.env?.STANDIN_TEST_STORE);
  stores.push(process.env.STANDIN_TEST_STORE);
  const isNeeded = stores.includes("postgres") || state.getPaths().some(needsServer);
  if (!isNeeded) return;
  const own = process.env.STANDIN_TEST_POSTGRES;
  if (own === undefined) server = await createPostgresServer();
  project.provide("postgresUrl", own ?? (server as PostgresServer).url);
}

export const teardown = (): Promise<void> | undefined => server?.remove();
