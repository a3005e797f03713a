/** Two replicas whose statements a seeded scheduler holds and lets through one by one, while their leases run out. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../../../src/index.js";
import { Random } from "../../../../src/time/random.js";
import { proxyTo } from "../../../support/cut-connections.js";
import { freshDatabase } from "../../../support/postgres.js";
import { repetitions } from "../../../support/repetitions.js";
import { ownersIn, passTime } from "../../../support/stores.js";
import { ClientHistory } from "./client-history.js";

const rounds = repetitions(20, 2_000);
const stepsPerRound = 120;
const maxOutstanding = 10;
/** Longer than a lease. */
const pauseMs = 20_000;
/** Turns of the event loop in which a statement usually gets its answer. */
const turnsPerStep = 8;

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[random.integer(0, values.length - 1)] as T;

async function nextTurns(count: number): Promise<false> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
  return false;
}

test(`in ${rounds} interleavings of the statements of two replicas, nothing acknowledged is lost and no read is stale`, async () => {
  const database = await freshDatabase();
  const replicas = [];
  for (let at = 0; at < 2; at++) {
    const proxy = await proxyTo(database.url);
    const sandbox = await startSandbox({ store: proxy.url, validateReplies: true, warn: () => {} });
    onTestFinished(() => sandbox.close());
    replicas.push({ proxy, sandbox });
  }
  let passed = 0;
  const realNow = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + passed);
  onTestFinished(() => clock.mockRestore());
  /** Lets time pass on all clocks as if nothing had run meanwhile. */
  const pause = async () => {
    passed += pauseMs;
    await passTime(database, pauseMs);
  };
  let [acknowledged, takenOver] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const random = Random.seeded("interleavings", String(round));
    const history = new ClientHistory(`svc_test_interleaved_${round}`, "");
    for (const { proxy } of replicas) proxy.hold();
    const outstanding = new Set<Promise<void>>();
    let running: readonly (typeof replicas)[0][] = replicas;
    for (let step = 0; step < stepsPerRound; step++) {
      const { proxy, sandbox } = pick(random, running);
      const choice = random.fraction();
      if (choice < 0.02) {
        await pause();
        running = [pick(random, replicas)];
      } else if (choice < 0.05) running = replicas;
      else if ((choice < 0.25 || proxy.held === 0) && outstanding.size < maxOutstanding) {
        const ask = pick(random, history.steps.slice(0, 2));
        const asking = ask(sandbox.account({ key: history.key })).finally(() => outstanding.delete(asking));
        outstanding.add(asking);
      } else if (proxy.held > 0) proxy.pass(random.integer(0, proxy.held - 1));
      await nextTurns(turnsPerStep);
    }
    for (const { proxy } of replicas) proxy.pass();
    const settled = Promise.all(outstanding).then(() => true);
    // A request for an account whose owner has gone waits until the lease has run out.
    while (!(await Promise.race([settled, nextTurns(turnsPerStep * 20)]))) await pause();
    await history.expectExplained(database);
    acknowledged += history.answered.length;
    if ((await ownersIn(database, history.accountId)) > 1) takenOver++;
  }
  expect(acknowledged).toBeGreaterThan(rounds);
  expect(takenOver).toBeGreaterThan(0);
});
