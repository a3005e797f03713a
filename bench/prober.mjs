/** Runs in a worker thread: times small requests to its own account, one after the other, until it is told to stop. */
import { parentPort, workerData } from "node:worker_threads";
import { Client } from "./client.mjs";

const client = new Client(workerData.url, "svc_test_other");
const durations = [];
let failed = 0;
let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});
const call = (i) =>
  i % 2 === 0
    ? client.call("GET", "/v1/balance")
    : client.call("POST", "/v1/phone/verify/start", { phone: "08031234567" });

// The first requests of a process and of an account take long with or without a large account beside them.
for (let i = 0; i < 20; i++) await call(i);
parentPort.postMessage("ready");
for (let i = 0; !isOver; i++) {
  const started = performance.now();
  try {
    await call(i);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    failed++;
  }
  durations.push(performance.now() - started);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
client.close();
parentPort.postMessage({ durations, failed });
