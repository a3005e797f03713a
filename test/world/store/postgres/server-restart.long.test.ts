import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../../src/index.js";
import { proxyTo } from "../../../support/cut-connections.js";
import { freshDatabase, startReplica, withTimeout } from "../../../support/postgres.js";
import { createPostgresServer } from "../../../support/postgres-server.js";
import { startReceiver } from "../../../support/receiver.js";
import { repetitions } from "../../../support/repetitions.js";
import { call, post } from "../../../support/sandbox.js";
import { until } from "../../../support/until.js";

const start = { phone: "08031234567" };
/** Longer than any reply takes while PostgreSQL is away. */
const requestTimeoutMs = 30_000;

test("PostgreSQL restarts and cuts connections in the middle: 503 meanwhile, and nothing acknowledged is lost", async () => {
  const server = await createPostgresServer();
  onTestFinished(() => server.remove());
  const database = await freshDatabase(server.url);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const replicas = [await startReplica(database), await startReplica(database)] as const;
  const keys = ["one", "two", "three"].map((name) => `svc_test_${name}`);
  const known = new Map<string, Set<string>>(keys.map((key) => [key, new Set()]));
  const events = new Set<string>();
  let refused = 0;
  for (const key of keys) await post(replicas[0].account(key), "/v1/webhooks", { url: receiver.url });

  let isOver = false;
  const client = async (number: number) => {
    for (let at = number; !isOver; at++) {
      const key = keys[number % keys.length] as string;
      const account = withTimeout(replicas[at % 2] as (typeof replicas)[0], key, requestTimeoutMs);
      const isEvent = at % 4 === 0;
      const reply = isEvent
        ? await post(account, "/_sandbox/events", { event: "payout.paid" })
        : await post(account, "/v1/phone/verify/start", start);
      if (reply.status === 201) (isEvent ? events : known.get(key))?.add(reply.body.id);
      else {
        expect([reply.status, reply.body.error.code]).toEqual([503, "storage_unavailable"]);
        expect(reply.headers.get("retry-after")).toBe("1");
        refused++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const clients = Array.from({ length: repetitions(3, 6) }, (_, number) => client(number));
  const written = () => [...known.values()].reduce((total, ids) => total + ids.size, 0);
  const expectProgress = async () => {
    const before = written();
    await until("writes are accepted", () => written() > before + 10);
  };
  for (let round = 0; round < repetitions(1, 20); round++) {
    await expectProgress();
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'standin'",
    );
    await expectProgress();
    const before = refused;
    await server.stop(round % 2 === 0 ? "SIGQUIT" : "SIGINT");
    await until("writes are refused", () => refused > before);
    await server.start();
    await expectProgress();
  }
  isOver = true;
  await Promise.all(clients);
  for (const [key, ids] of known) {
    const { items } = (
      await call(replicas[0].account(key), "GET", "/_sandbox/machines/phone_verification/records?limit=1000")
    ).body;
    const stored = new Set(items.map(({ id }: { id: string }) => id));
    expect([...ids].filter((id) => !stored.has(id))).toEqual([]);
  }
  await until("every webhook has arrived", () => {
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id));
    return [...events].every((id) => arrived.has(id));
  });
  for (const { process } of replicas) expect([process.exitCode, process.signalCode]).toEqual([null, null]);
});

// The replica runs in this process: an error that nothing handles, which would end a process, fails the run.
test("a replica survives that its connections are cut while it claims due accounts", async () => {
  const database = await freshDatabase();
  const proxy = await proxyTo(database.url);
  const replica = await startSandbox({ store: proxy.url, validateReplies: true, warn: () => {} });
  onTestFinished(() => replica.close());
  const account = replica.account({ key: "svc_test_cut" });
  await post(account, "/v1/phone/verify/start", start);
  const lock = await database.connect();
  onTestFinished(() => lock.release(true));
  await lock.query("BEGIN");
  await lock.query("LOCK TABLE standin_account IN EXCLUSIVE MODE");
  await until("it waits for the lock within a transaction", async () => {
    const waiting = await database.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%SKIP LOCKED%'",
    );
    return waiting.length > 0;
  });
  proxy.cut();
  await lock.query("COMMIT");
  proxy.restore();
  await until("writes are accepted again", async () => {
    const reply = await post(account, "/v1/phone/verify/start", start).catch(() => null);
    return reply?.status === 201;
  });
});
