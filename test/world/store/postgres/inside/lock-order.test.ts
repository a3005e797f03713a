/** Statements that lock several accounts lock them in the order of their ids, as the statement of a commit does. */
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../../../src/index.js";
import { connectDatabase, type Database } from "../../../../../src/world/store/postgres/database.js";
import { noteUse, release } from "../../../../../src/world/store/postgres/ownership.js";
import { freshDatabase } from "../../../../support/postgres.js";
import { until } from "../../../../support/until.js";

const released = (isGone: boolean) => (database: Database) =>
  release(
    database,
    ["acct_z", "acct_a"].map((id) => ({ id, epoch: "1", due: null, isGone })),
  );

test.each([
  ["noting that accounts are in use", (database: Database) => noteUse(database, "me")],
  ["releasing accounts", released(false)],
  ["removing accounts", released(true)],
])("%s waits for the first account before it locks the last one", async (_name, act) => {
  const database = await freshDatabase();
  await (await createSandbox({ store: database.url })).close();
  // The last one comes first in the table.
  for (const id of ["acct_z", "acct_a"])
    await database.query(
      "INSERT INTO standin_account (id, owner, epoch, used_at) VALUES ($1, 'me', 1, clock_timestamp() - interval '1 h')",
      [id],
    );
  const before = await database.query("SELECT * FROM standin_account ORDER BY id");
  const connected = await connectDatabase(database.url, () => {});
  onTestFinished(() => connected.close());
  const client = await database.connect();
  onTestFinished(() => client.release(true));
  await client.query("BEGIN");
  await client.query("SELECT FROM standin_account WHERE id = 'acct_a' FOR UPDATE");
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  const acting = act(connected);
  const blocked = "SELECT pid FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))";
  await until("the statement waits", async () => (await database.query(blocked, [rows[0].pid])).length > 0);
  const last = await client.query("SELECT id FROM standin_account WHERE id = 'acct_z' FOR UPDATE NOWAIT");
  expect(last.rows).toEqual([{ id: "acct_z" }]);
  await client.query("COMMIT");
  await acting;
  const after = await database.query("SELECT * FROM standin_account ORDER BY id");
  const unchanged = after.filter((row) => before.some((one) => JSON.stringify(one) === JSON.stringify(row)));
  expect(unchanged).toEqual([]);
});
