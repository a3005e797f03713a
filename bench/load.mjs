/** Generates load with autocannon in a child process, on the core that the servers do not use. */
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { spawnOn } from "./servers.mjs";

const connections = 32;

/**
 * Sends one kind of request for `seconds`, or `amount` times. Resolves to the number of requests, requests per second,
 * p99 in ms and the server's CPU time in µs per request, which does not depend on the generator's speed. Rejects if a
 * reply is not 2xx.
 */
export async function load(server, { seconds = 2, amount, ...request }) {
  const options = {
    url: server.url,
    connections,
    ...(amount ? { amount } : { duration: seconds }),
    ...request,
  };
  const before = server.cpu;
  const child = spawnOn(1, [fileURLToPath(import.meta.url), JSON.stringify(options)]);
  const limit = setTimeout(() => child.kill("SIGKILL"), (seconds + (amount ? 120 : 10)) * 1000);
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  clearTimeout(limit);
  if (text === "") throw new Error(`the load on ${server.url} did not finish in time`);
  const { total, perSecond, p99, failed } = JSON.parse(text);
  if (failed > 0) throw new Error(`${failed} of ${total} replies of ${options.path} were not 2xx`);
  return { total, perSecond, p99, cpu: ((server.cpu - before) / total) * 1e6 };
}

export const headers = (key = "svc_test_demo") => ({
  "x-service-key": key,
  "content-type": "application/json",
});

export const balance = (key) => ({ method: "GET", path: "/v1/balance", headers: headers(key) });

export const phoneStart = (key) => ({
  method: "POST",
  path: "/v1/phone/verify/start",
  headers: headers(key),
  body: JSON.stringify({ phone: "08031234567" }),
});

export const verifyBvn = (key) => ({
  method: "POST",
  path: "/v1/verify/bvn",
  headers: headers(key),
  body: JSON.stringify({
    bvn: "22301948577",
    phone_number: "08031234567",
    first_name: "Adaeze",
    last_name: "Okafor",
    date_of_birth: "1990-04-12",
  }),
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = JSON.parse(process.argv[2]);
  const { path, url, ...rest } = options;
  const result = await autocannon({ ...rest, url: url + path });
  process.stdout.write(
    JSON.stringify({
      total: result["2xx"] + result.non2xx,
      perSecond: (result["2xx"] + result.non2xx) / result.duration,
      p99: result.latency.p99,
      failed: result.non2xx + result.errors,
    }),
  );
}
