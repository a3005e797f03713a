/** Measures webhooks per second to a receiver on the other core, compared with an undici Pool, and beside a dead endpoint. */
import { Client } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { headers, load } from "./load.mjs";
import { startPeer, startStandin } from "./servers.mjs";
import { arrivals, pauseClock, trigger } from "./webhooks.mjs";

const rounds = 5;
const events = 5_000;
const arrivalTimeoutMs = 60_000;

export default async function deliveries() {
  const receiver = await startPeer("receiver", { core: 1 });
  const standin = await startStandin();
  const poolServer = await startPeer("pool");
  const pool = new Client(poolServer.url);
  const count = new Client(receiver.url);
  const arrived = (expected) => arrivals(count, expected, arrivalTimeoutMs);
  /** Collects events while the clock is paused, and measures their delivery when it resumes. */
  const burst = (paths) => async (round) => {
    const account = new Client(standin.url, `bench_${paths.join("_").replaceAll("/", "")}_${round}`);
    for (const path of paths) await account.call("POST", "/v1/webhooks", { url: receiver.url + path });
    await pauseClock(account);
    await load(standin, { ...trigger, headers: headers(account.key), amount: events });
    await count.call("DELETE", "/count");
    await account.call("POST", "/_sandbox/clock/resume");
    const perSecond = await arrived(events * paths.filter((path) => path !== "/dead").length);
    await account.call("POST", "/_sandbox/reset");
    account.close();
    return perSecond;
  };
  const loop = async () => {
    await count.call("DELETE", "/count");
    await pool.call("GET", `/run?url=${encodeURIComponent(`${receiver.url}/live`)}&count=${events}`);
    return arrived(events);
  };
  const oneByOne = async (round) => {
    const account = new Client(standin.url, `bench_post_${round}`);
    await account.call("POST", "/v1/webhooks", { url: `${receiver.url}/live` });
    await count.call("DELETE", "/count");
    await load(standin, { ...trigger, headers: headers(account.key), amount: events });
    const perSecond = await arrived(events);
    await account.call("POST", "/_sandbox/reset");
    account.close();
    return perSecond;
  };
  try {
    const candidates = {
      loop,
      one: burst(["/live"]),
      two: burst(["/live/1", "/live/2"]),
      dead: burst(["/live/1", "/dead", "/live/2"]),
      post: oneByOne,
    };
    await loop();
    await candidates.one("warm_up");
    const speed = medians(await interleaved(rounds, candidates));
    return [
      row({
        figure: "webhooks a second",
        standin: speed.one,
        beside: speed.loop,
        besideIs: "undici Pool loop",
        reach: "≥ 0.5",
        reached: speed.one >= 0.5 * speed.loop,
      }),
      row({
        figure: "to two endpoints, a dead third",
        standin: speed.dead,
        beside: speed.two,
        besideIs: "without the third",
        reach: "≥ 0.9",
        reached: speed.dead >= 0.9 * speed.two,
      }),
      row({
        figure: "one webhook a POST, a second",
        standin: speed.post,
        beside: 1_400,
        besideIs: "emulate, Prism (measured before)",
        reach: "≥ 5",
        reached: speed.post >= 5 * 1_400,
      }),
    ];
  } finally {
    count.close();
    pool.close();
    await poolServer.stop("SIGKILL");
    await standin.stop("SIGKILL");
    await receiver.stop("SIGKILL");
  }
}
