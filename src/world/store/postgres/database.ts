/** Connections to PostgreSQL. Its driver is loaded only by sandboxes that use it. */
import type { Pool, PoolConfig } from "pg";
import { second } from "../../../time/time.js";
import { StoreError } from "../store.js";

export interface Database {
  /** Connections for everything except commits and leases, which must not wait for other work. */
  pool: Pool;
  commits: Pool;
  leases: Pool;
  close(): Promise<void>;
}

/** Time limit of a statement, in ms. A request that waits for a hanging database is refused after this time. */
const statementTimeoutMs = 8 * second;
/** Time limit of a renewal, in ms. Several must fit into the lease. */
const renewalTimeoutMs = 2 * second;
const defaultPoolSize = 8;

/** Returns the URL without its password, for messages. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return "postgres://…";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

export async function connectDatabase(address: string, warn: (message: string) => void): Promise<Database> {
  const { Pool } = await loadDriver();
  const { config, size } = readAddress(address);
  const create = (options: PoolConfig): Pool => {
    const pool = new Pool({ ...config, ...options });
    let isReported = false;
    // A connection that breaks while it is idle is replaced by the next query.
    pool.on("error", ({ message }) => {
      if (!isReported) warn(`a connection to PostgreSQL was lost (${message})`);
      isReported = true;
    });
    pool.on("connect", (client) => {
      isReported = false;
      // While a transaction uses the connection, the pool does not listen. Its queries are rejected in any case.
      client.on("error", () => {});
    });
    return pool;
  };
  const pools = {
    pool: create({ max: size }),
    commits: create({ max: 1, idleTimeoutMillis: 0 }),
    leases: create({
      max: 1,
      idleTimeoutMillis: 0,
      query_timeout: renewalTimeoutMs,
      connectionTimeoutMillis: renewalTimeoutMs,
    }),
  };
  let closing: Promise<unknown> | null = null;
  return {
    ...pools,
    async close() {
      closing ??= Promise.all(Object.values(pools).map((pool) => pool.end()));
      await closing;
    },
  };
}

async function loadDriver(): Promise<{ Pool: typeof Pool }> {
  try {
    const { default: pg } = await import("pg");
    return pg;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new StoreError("--store postgres://… needs the package pg; install it with `npm install pg`");
  }
}

/**
 * Reads the parameters of the address that the driver does not know: `pool_size`, and `search_path` for the schema. The
 * driver itself reads `sslmode`, `sslrootcert`, `statement_timeout` and `application_name`, among others.
 */
function readAddress(address: string): { config: PoolConfig; size: number } {
  if (!URL.canParse(address))
    throw new StoreError(`the store ${withoutPassword(address)} is not a valid URL`);
  const url = new URL(address);
  const size = Number(url.searchParams.get("pool_size") ?? defaultPoolSize);
  if (!Number.isInteger(size) || size < 1)
    throw new StoreError("pool_size of the store must be a whole number from 1 up");
  const schema = url.searchParams.get("search_path");
  if (schema !== null && /[",\0]/.test(schema))
    throw new StoreError(
      "search_path of the store must be the name of one schema, without commas and quotation marks",
    );
  // The driver takes the options of the URL in place of those below.
  const options = [url.searchParams.get("options") ?? []].flat();
  if (schema !== null) options.push(`-c search_path=${escapeOption(`"${schema}"`)}`);
  for (const name of ["pool_size", "search_path", "options"]) url.searchParams.delete(name);
  const config: PoolConfig = {
    connectionString: url.href,
    application_name: "standin",
    keepAlive: true,
    query_timeout: statementTimeoutMs,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: statementTimeoutMs,
    ...(options.length === 0 ? {} : { options: options.join(" ") }),
  };
  return { config, size };
}

/** Escapes characters that would end an option's value or begin another option. */
const escapeOption = (value: string): string => value.replace(/[\s\\]/g, "\\$&");
