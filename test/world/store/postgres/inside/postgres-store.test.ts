import { expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../../src/index.js";
import { accountId } from "../../../../../src/world/account/account-id.js";
import { PostgresStore } from "../../../../../src/world/store/postgres/postgres-store.js";
import { ownTable } from "../../../../../src/world/store/table.js";
import { freshDatabase, type TestDatabase } from "../../../../support/postgres.js";
import { call, startPhone } from "../../../../support/sandbox.js";
import { openAccount } from "../../../../support/stores.js";

async function openOn({ url }: TestDatabase, warnings: string[] = []): Promise<Sandbox> {
  const sandbox = await createSandbox({
    store: url,
    validateReplies: true,
    warn: (message) => warnings.push(message),
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test("the first line of a journal has the whole account, and its sequence has no gap", async () => {
  const database = await freshDatabase();
  const sandbox = await openOn(database);
  const account = sandbox.account();
  await Promise.all(Array.from({ length: 30 }, () => startPhone(account)));
  const lines = await database.query<{ sequence: string; epoch: string; line: string }>(
    "SELECT sequence, epoch, line FROM standin_journal WHERE account = $1 ORDER BY sequence",
    [accountId(account.key)],
  );
  expect(lines.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  expect(new Set(lines.map(({ epoch }) => epoch)).size).toBe(1);
  expect(JSON.parse(lines[0]?.line ?? "")).toContainEqual(["account", "wallet", expect.anything()]);
});

test("no API key is in the database", async () => {
  const database = await freshDatabase();
  const sandbox = await openOn(database);
  const account = sandbox.account();
  await startPhone(account);
  for (const table of ["account", "journal", "document", "replica", "meta"])
    expect(JSON.stringify(await database.query(`SELECT * FROM standin_${table}`))).not.toContain(account.key);
});

test("a write under an epoch that is over is refused, and the account is read anew", async () => {
  const database = await freshDatabase();
  const warnings: string[] = [];
  const sandbox = await openOn(database, warnings);
  const account = sandbox.account();
  const { body } = await startPhone(account);
  await database.query("UPDATE standin_account SET epoch = nextval('standin_epoch')");
  const refused = await startPhone(account);
  expect([refused.status, refused.body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(warnings.join()).toContain("another replica has taken the account over");
  const { items } = (await call(account, "GET", "/_sandbox/machines/phone_verification/records")).body;
  expect(items.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  expect((await startPhone(account)).status).toBe(201);
});

test("a long commit has many lines, which count together or not at all, and is folded into the document", async () => {
  const database = await freshDatabase();
  const store = await openStore(database);
  const { commit, safe } = await openAccount(store);
  const record = JSON.stringify({ text: "x".repeat(1_000) });
  const changes = Array.from({ length: 10_000 }, (_, at) => ["account", `record_${at}`, record] as const);
  commit(...changes);
  await safe();
  expect(await countOf(database, "journal")).toBeGreaterThan(100);
  await store.compact();
  expect(await countOf(database, "journal")).toBe(0);
  commit(["account", "record_5", null]);
  commit(...changes);
  await safe();
  await store.close();
  await database.query(
    "DELETE FROM standin_journal WHERE sequence = (SELECT max(sequence) FROM standin_journal)",
  );
  const again = await openStore(database);
  const read = await openAccount(again);
  await read.safe();
  expect([...read.state.ids(ownTable)]).toEqual(
    changes.map(([, id]) => id).filter((id) => id !== "record_5"),
  );
  // The lines of the commit that is not whole are gone, so that the next line follows the last whole one.
  expect(await countOf(database, "journal")).toBe(1);
  await again.close();
});

const openStore = ({ url }: TestDatabase) => PostgresStore.open({ address: url, warn: () => {} });

async function countOf({ query }: TestDatabase, table: string): Promise<number> {
  const [row] = await query<{ count: string }>(`SELECT count(*) FROM standin_${table}`);
  return Number(row?.count);
}

test("a sandbox whose database has tables of a later version does not start", async () => {
  const database = await freshDatabase();
  await (await openOn(database)).close();
  await database.query("UPDATE standin_meta SET version = 1000");
  await expect(createSandbox({ store: database.url })).rejects.toThrow("version 1000");
});

test("the operator is told once why accounts cannot be opened, and again after one was", async () => {
  const database = await freshDatabase();
  const warnings: string[] = [];
  const sandbox = await openOn(database, warnings);
  const open = async () => (await call(sandbox.account(), "GET", "/v1/balance")).status;
  await database.query("ALTER TABLE standin_journal RENAME TO taken_away");
  expect([await open(), await open()]).toEqual([503, 503]);
  const reason = expect.stringMatching(/^PostgreSQL cannot be used \(.*standin_journal/);
  expect(warnings).toEqual([reason]);
  await database.query("ALTER TABLE taken_away RENAME TO standin_journal");
  expect(await open()).toBe(200);
  await database.query("ALTER TABLE standin_journal RENAME TO taken_away");
  expect(await open()).toBe(503);
  expect(warnings).toEqual([reason, reason]);
  await database.query("ALTER TABLE taken_away RENAME TO standin_journal");
});
