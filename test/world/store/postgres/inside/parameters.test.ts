/** Parameters of the store's URL. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../../../src/index.js";
import { connectDatabase } from "../../../../../src/world/store/postgres/database.js";
import { inTransaction } from "../../../../../src/world/store/postgres/migrations.js";
import { proxyTo } from "../../../../support/cut-connections.js";
import { freshDatabase, type TestDatabase } from "../../../../support/postgres.js";
import { certificateFile } from "../../../../support/postgres-server.js";
import { post } from "../../../../support/sandbox.js";
import { until } from "../../../../support/until.js";

function urlWith({ url }: TestDatabase, parameters: Record<string, string>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

test("pool_size is the number of connections, apart from those for commits and leases", async () => {
  const database = await freshDatabase();
  const name = String(new URL(database.url).searchParams.get("search_path"));
  const store = urlWith(database, { pool_size: "2", application_name: name });
  const sandbox = await createSandbox({ store, validateReplies: true });
  onTestFinished(() => sandbox.close());
  const starts = Array.from({ length: 20 }, () =>
    post(sandbox.account(), "/v1/phone/verify/start", { phone: "08031234567" }),
  );
  for (const { status } of await Promise.all(starts)) expect(status).toBe(201);
  const connections = "SELECT pid FROM pg_stat_activity WHERE application_name = $1";
  expect(await database.query(connections, [name])).toHaveLength(4);
});

test("statement_timeout limits a statement that waits", async () => {
  const database = await freshDatabase();
  await (await createSandbox({ store: database.url })).close();
  const { pool, close } = await connectDatabase(database.url, () => {});
  onTestFinished(() => close());
  await inTransaction(pool, async (client) => {
    await client.query("LOCK TABLE standin_meta");
    const starting = createSandbox({ store: urlWith(database, { statement_timeout: "50" }) });
    await expect(starting).rejects.toThrow("canceling statement due to statement timeout");
  });
});

test.each([
  ["search_path", "standin_no_such_schema", "no schema has been selected"],
  ["search_path", "team,public", "search_path of the store must be the name of one schema"],
  ["search_path", '"team"', "search_path of the store must be the name of one schema"],
  ["search_path", "team -c default_transaction_read_only=on", "no schema has been selected"],
  ["pool_size", "0", "pool_size of the store must be a whole number from 1 up"],
])("a sandbox does not start with %s=%s", async (name, value, message) => {
  const store = urlWith(await freshDatabase(), { [name]: value });
  await expect(createSandbox({ store })).rejects.toThrow(message);
});

test.each(["a b", "Team", String.raw`a\b`, "a;b'c"])(
  "search_path names the schema %j exactly",
  async (ending) => {
    const database = await freshDatabase();
    const schema = `${new URL(database.url).searchParams.get("search_path")} ${ending}`;
    await database.query(`CREATE SCHEMA "${schema}"`);
    onTestFinished(() => database.query(`DROP SCHEMA "${schema}" CASCADE`).then(() => {}));
    await (await createSandbox({ store: urlWith(database, { search_path: schema }) })).close();
    const tables = await database.query<{ schemaname: string }>(
      "SELECT schemaname FROM pg_tables WHERE tablename = 'standin_meta' AND starts_with(schemaname, $1)",
      [new URL(database.url).searchParams.get("search_path")],
    );
    expect(tables.map(({ schemaname }) => schemaname)).toEqual([schema]);
  },
);

test("search_path and options apply together", async () => {
  const database = await freshDatabase();
  const { pool, close } = await connectDatabase(urlWith(database, { options: "-c work_mem=3MB" }), () => {});
  onTestFinished(() => close());
  const { rows } = await pool.query(
    "SELECT current_schema() AS schema, current_setting('work_mem') AS memory",
  );
  expect(rows).toEqual([{ schema: new URL(database.url).searchParams.get("search_path"), memory: "3MB" }]);
});

test.each([
  ["DELETE FROM standin_meta", "standin_meta has no row"],
  ["DROP TABLE standin_meta", "but not standin_meta"],
])("after %s, a sandbox says what is there", async (damage, message) => {
  const database = await freshDatabase();
  await (await createSandbox({ store: database.url })).close();
  await database.query(damage);
  await expect(createSandbox({ store: database.url })).rejects.toThrow(message);
  await expect(createSandbox({ store: database.url })).rejects.toThrow(
    /has the tables standin_account, standin_document, standin_journal,.* standin_replica/,
  );
});

const ownServer = process.env.STANDIN_TEST_POSTGRES;

test.skipIf(ownServer !== undefined)("with sslmode and sslrootcert, all connections use TLS", async () => {
  const database = await freshDatabase();
  const name = String(new URL(database.url).searchParams.get("search_path"));
  const tls = { sslmode: "verify-full", sslrootcert: certificateFile, application_name: name };
  const sandbox = await createSandbox({ store: urlWith(database, tls), validateReplies: true });
  onTestFinished(() => sandbox.close());
  const { status } = await post(sandbox.account(), "/v1/phone/verify/start", { phone: "08031234567" });
  expect(status).toBe(201);
  const connections = await database.query(
    "SELECT ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE application_name = $1",
    [name],
  );
  expect(connections.length).toBeGreaterThanOrEqual(3);
  for (const { ssl } of connections) expect(ssl).toBe(true);
});

test.skipIf(ownServer !== undefined)("with sslmode, an unknown certificate is refused", async () => {
  const store = urlWith(await freshDatabase(), { sslmode: "verify-full" });
  await expect(createSandbox({ store })).rejects.toThrow(
    /self-signed certificate(?:; if the root CA is installed locally, try running Node\.js with --use-system-ca)?\); sslrootcert=\/file in the URL names the certificate of the authority/,
  );
});

test("with sslmode, no connection is made to a server without TLS", async () => {
  // Answers the request for TLS as PostgreSQL does without it.
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end("N")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const store = `postgres://me@127.0.0.1:${(server.address() as AddressInfo).port}/sandbox?sslmode=verify-full`;
  await expect(createSandbox({ store })).rejects.toThrow("The server does not support SSL connections");
});

test("a connection that is lost within a transaction ends the transaction, and not the process", async () => {
  const database = await freshDatabase();
  const proxy = await proxyTo(database.url);
  const { pool, close } = await connectDatabase(proxy.url, () => {});
  onTestFinished(() => close());
  const cut = inTransaction(pool, async (client) => {
    proxy.cut();
    await until("the connection is lost", () =>
      client.query("SELECT").then(
        () => false,
        () => true,
      ),
    );
  });
  await expect(cut).rejects.toThrow();
  proxy.restore();
  expect(await inTransaction(pool, async (client) => (await client.query("SELECT 1 AS one")).rows)).toEqual([
    { one: 1 },
  ]);
});
