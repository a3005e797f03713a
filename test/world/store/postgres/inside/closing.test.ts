import { expect, test } from "vitest";
import { startSandbox } from "../../../../../src/index.js";
import { connectDatabase } from "../../../../../src/world/store/postgres/database.js";
import { freshDatabase } from "../../../../support/postgres.js";
import { until } from "../../../../support/until.js";

test("a sandbox that closes while it looks for due accounts says nothing", async () => {
  const database = await freshDatabase();
  const warnings: string[] = [];
  const sandbox = await startSandbox({ store: database.url, warn: (message) => warnings.push(message) });
  const { pool, close } = await connectDatabase(database.url, () => {});
  const holder = await pool.connect();
  try {
    const ended = `INSERT INTO standin_replica (id, lease_until) VALUES ('ended', clock_timestamp())
      ON CONFLICT DO NOTHING`;
    // The look begins with the deletion of ended leases, which waits for this row.
    await holder.query("BEGIN");
    await until("the row is locked", async () => {
      // A look that comes before the lock deletes the row.
      await pool.query(ended);
      return (await holder.query("SELECT FROM standin_replica WHERE id = 'ended' FOR UPDATE")).rowCount === 1;
    });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query = 'DELETE FROM standin_replica WHERE lease_until <= clock_timestamp()'`;
    await until("the look waits", async () => ((await pool.query(waiting)).rowCount ?? 0) > 0);
    const closing = sandbox.close();
    const isRefused = () =>
      fetch(sandbox.url).then(
        () => false,
        () => true,
      );
    await until("the port is released", isRefused);
    // A store that does not wait for the look is closed within these round trips.
    for (let i = 0; i < 100; i++) await pool.query("SELECT 1");
    await holder.query("COMMIT");
    await closing;
  } finally {
    holder.release();
    await close();
  }
  expect(warnings).toEqual([]);
});
