/**
 * Measures the dashboard while 5,000 activities a minute arrive: the time from a key press to the next paint, and the
 * memory of its page. Uses the browser of the tests, which unpack it on their first run.
 */
import { setTimeout as delay } from "node:timers/promises";
import { launch } from "./browser.mjs";
import { Client } from "./client.mjs";
import { median, row } from "./figures.mjs";
import { startStandin } from "./servers.mjs";

const activitiesPerMinute = 5_000;
/** A phone code is a request, a move and a message. */
const activitiesPerCode = 3;
const seconds = Number(process.env.STANDIN_BENCH_SECONDS ?? 30);
const keyIntervalMs = 200;
const maxPaintMs = 100;
/** The browser reports durations from 16 ms on, in steps of 8 ms. */
const unreportedMs = 16;
const keys = ["j", "j", "k", "/", "p", "h", "Escape", "1"];

export default async function dashboard() {
  const server = await startStandin(["--memory"]);
  const browser = await launch();
  const page = await browser.newPage();
  await page.addInitScript(() => {
    globalThis.inputDurations = [];
    const note = (list) => {
      for (const { name, duration } of list.getEntries())
        if (name === "keydown") globalThis.inputDurations.push(duration);
    };
    new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16 });
  });
  await page.goto(`${server.url}/#/activity`);
  const load = startLoad(server.url);
  await page.locator(".row").first().waitFor();
  const heapBefore = await heapOf(page);
  let pressed = 0;
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; pressed++) {
    await page.keyboard.press(keys[pressed % keys.length]);
    await delay(keyIntervalMs);
  }
  const sent = await load.stop();
  const heap = await heapOf(page);
  const slow = await page.evaluate(() => globalThis.inputDurations);
  await browser.close();
  await server.stop();
  const durations = [...Array(Math.max(0, pressed - slow.length)).fill(unreportedMs), ...slow].sort(
    (a, b) => a - b,
  );
  const p98 = durations[Math.floor(durations.length * 0.98)];
  process.stderr.write(
    `  ${sent * activitiesPerCode} activities in ${seconds} s; slowest of ${durations.length} key presses ${durations.at(-1)} ms\n`,
  );
  return [
    row({
      figure: "p98 from key press to paint, 5,000 activities a minute",
      unit: "ms",
      standin: p98,
      beside: median(durations),
      besideIs: "median",
      reach: `< ${maxPaintMs} ms`,
      reached: p98 < maxPaintMs,
    }),
    row({
      figure: "heap of the page after them",
      unit: "MB",
      standin: heap,
      beside: heapBefore,
      besideIs: "before",
    }),
  ];
}

/** Requests codes for many phones at an even rate. `stop` resolves with their number. */
function startLoad(url) {
  const client = new Client(url);
  const intervalMs = 60_000 / (activitiesPerMinute / activitiesPerCode);
  let isOver = false;
  const run = async () => {
    const start = performance.now();
    let sent = 0;
    for (; !isOver; sent++) {
      const phone = `0803${String(1_000_000 + (sent % 1_000_000))}`;
      await client.call("POST", "/v1/phone/verify/start", { phone });
      await delay(Math.max(0, start + (sent + 1) * intervalMs - performance.now()));
    }
    client.close();
    return sent;
  };
  const running = run();
  return {
    stop() {
      isOver = true;
      return running;
    },
  };
}

/** Returns the size of the page's JavaScript heap after a collection, in MB. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1024 / 1024;
}
