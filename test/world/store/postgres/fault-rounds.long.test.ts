import { performance } from "node:perf_hooks";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, startReplica, type TestDatabase, withTimeout } from "../../../support/postgres.js";
import type { Program } from "../../../support/program.js";
import { type Receiver, startReceiver } from "../../../support/receiver.js";
import { repetitions } from "../../../support/repetitions.js";
import { until } from "../../../support/until.js";
import { ClientHistory } from "./client-history.js";

/** Three replicas on a database of their own. Several clusters run at the same time: most of a round is waiting. */
interface Cluster {
  name: string;
  database: TestDatabase;
  replicas: Program[];
}

const clusterCount = repetitions(1, 3);
const roundCount = repetitions(1, 34);
/** New accounts for each round, whose journals stay so short that they are not folded. */
const accountsPerRound = repetitions(6, 10);
const clientCount = repetitions(4, 8);
/** Time in ms that a client waits between two requests. */
const betweenRequestsMs = repetitions(25, 5);
/** The first clients use the accounts that the fault does not concern. */
const unconcernedClients = 2;
/** A replica that is stopped never answers. */
const requestTimeoutMs = 2_000;
const stopMs = 20_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the clients on all replicas until `fault` has ended. */
async function underLoad(
  replicas: readonly Program[],
  histories: readonly ClientHistory[],
  victim: Program,
  fault: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const spared = histories.filter(({ home }) => home !== victim.url);
  const client = async (number: number) => {
    for (let at = number; !isOver; at++) {
      const isUnconcerned = number < unconcernedClients;
      const history = (
        isUnconcerned ? spared[at % spared.length] : histories[(at * 3) % histories.length]
      ) as ClientHistory;
      const home = replicas.find(({ url }) => url === history.home);
      const replica = isUnconcerned && home ? home : (replicas[at % replicas.length] as Program);
      const step = history.steps[(at * 7 + number) % history.steps.length] as ClientHistory["steps"][0];
      await step(withTimeout(replica, history.key, requestTimeoutMs));
      await pause(betweenRequestsMs);
    }
  };
  const clients = Array.from({ length: clientCount }, (_, number) => client(number));
  await fault();
  isOver = true;
  await Promise.all(clients);
}

/** Returns the 99th percentile of the ms that owners took to answer for accounts that the fault did not concern. */
function p99Of(
  histories: readonly ClientHistory[],
  victim: Program,
  isCounted: (began: number) => boolean,
): number {
  const times = histories
    .filter(({ home }) => home !== victim.url)
    .flatMap(({ answered, home }) =>
      answered.filter(({ replica, began }) => replica === home && isCounted(began)),
    )
    .map(({ took }) => took)
    .sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

/** Kills or stops one replica under load. Returns the histories of the accounts. */
async function round({ name, database, replicas }: Cluster, number: number, receiver: Receiver) {
  const at = number % replicas.length;
  const victim = replicas[at] as Program;
  const isStopped = number % 4 === 3;
  const histories = Array.from({ length: accountsPerRound }, (_, account) => {
    const { url } = replicas[account % replicas.length] as Program;
    return new ClientHistory(`svc_test_${name}_${number}_${account}`, url);
  });
  await Promise.all(
    histories.map((history, account) =>
      history.setUp((replicas[account % replicas.length] as Program).account(history.key), receiver.url),
    ),
  );
  let begun = Number.POSITIVE_INFINITY;
  let takenOver = Number.POSITIVE_INFINITY;
  await underLoad(replicas, histories, victim, async () => {
    await pause(500 + ((number * 137) % 700));
    begun = performance.now();
    if (isStopped) victim.process.kill("SIGSTOP");
    else await victim.stop("SIGKILL");
    await until("all accounts are written to again", () =>
      histories.every(({ hasWrittenSince }) => hasWrittenSince(begun)),
    );
    takenOver = performance.now();
    if (!isStopped) return;
    await pause(stopMs - (takenOver - begun));
    victim.process.kill("SIGCONT");
    await pause(500);
  });
  const before = p99Of(histories, victim, (began) => began < begun);
  const meanwhile = p99Of(histories, victim, (began) => began >= begun && began < takenOver);
  // A call that waits for the lease of a stopped replica to end takes at least 8 s, however idle the machine is.
  expect(meanwhile).toBeLessThan(Math.max(5_000, 3 * before));
  if (!isStopped && number + 1 < roundCount) replicas[at] = await startReplica(database);
  for (const history of histories) await history.expectExplained(database);
  return histories;
}

test(`replicas are killed and stopped at random: nothing acknowledged is lost, and the histories of ${clusterCount * roundCount * accountsPerRound} accounts are linearizable`, async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const events: string[] = [];
  const run = async (cluster: Cluster) => {
    for (let number = 0; number < roundCount; number++) {
      const histories = await round(cluster, number, receiver);
      events.push(...histories.flatMap(({ events }) => events));
    }
  };
  const clusters: Cluster[] = [];
  for (let at = 0; at < clusterCount; at++) {
    const database = await freshDatabase();
    const replicas = [
      await startReplica(database),
      await startReplica(database),
      await startReplica(database),
    ];
    clusters.push({ name: `cluster${at}`, database, replicas });
  }
  await Promise.all(clusters.map(run));
  await until("every webhook has arrived", () => {
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id));
    return events.every((id) => arrived.has(id));
  });
  expect(events.length).toBeGreaterThan(0);
  const bodies = new Map<string, string>();
  for (const { body } of receiver.received) {
    const { id } = JSON.parse(String(body));
    expect(String(body)).toBe(bodies.get(id) ?? String(body));
    bodies.set(id, String(body));
  }
});
