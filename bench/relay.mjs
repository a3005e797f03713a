/** Measures webhooks per second through `standin listen`, compared with deliveries that the sandbox posts itself. */
import { Client } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { headers, load } from "./load.mjs";
import { dist, spawnOn, startPeer, startStandin } from "./servers.mjs";
import { arrivals, pauseClock, trigger } from "./webhooks.mjs";

const rounds = 3;
const events = 10_000;
const arrivalTimeoutMs = 120_000;

export default async function relay() {
  const receiver = await startPeer("receiver", { core: 1 });
  const standin = await startStandin();
  const count = new Client(receiver.url);
  const arrived = () => arrivals(count, events, arrivalTimeoutMs);
  /** Collects events while the clock is paused, and measures their delivery when it resumes. */
  const burst = async (account, connect) => {
    const disconnect = await connect(account);
    await pauseClock(account);
    await load(standin, { ...trigger, headers: headers(account.key), amount: events });
    await count.call("DELETE", "/count");
    await account.call("POST", "/_sandbox/clock/resume");
    const perSecond = await arrived();
    await disconnect();
    await account.call("POST", "/_sandbox/reset");
    account.close();
    return perSecond;
  };
  const direct = (round) =>
    burst(new Client(standin.url, `bench_direct_${round}`), async (account) => {
      await account.call("POST", "/v1/webhooks", { url: `${receiver.url}/live` });
      return () => {};
    });
  const relayed = (round) =>
    burst(new Client(standin.url, `bench_relay_${round}`), (account) =>
      startListener(`${receiver.url}/live`, standin.url, account.key),
    );
  try {
    await direct("warm_up");
    const speed = medians(await interleaved(rounds, { direct, relayed }));
    return [
      row({
        figure: "webhooks a second through a relay",
        standin: speed.relayed,
        beside: speed.direct,
        besideIs: "posted directly",
        reach: "≥ 0.3",
        reached: speed.relayed >= 0.3 * speed.direct,
      }),
    ];
  } finally {
    count.close();
    await standin.stop("SIGKILL");
    await receiver.stop("SIGKILL");
  }
}

/** Starts `standin listen`, and resolves once it listens, with a function that stops it. */
function startListener(url, sandbox, key) {
  const child = spawnOn(1, [`${dist}/standin.cjs`, "listen", url, "--url", sandbox, "--key", key, "--json"]);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the listener ended with ${code}`)));
    child.stdout.once("data", () => {
      child.removeAllListeners("exit");
      child.stdout.resume();
      resolve(
        () =>
          new Promise((stopped) => {
            child.once("exit", stopped);
            child.kill("SIGINT");
          }),
      );
    });
  });
}
