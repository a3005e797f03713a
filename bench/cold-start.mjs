/** Measures the time from spawning a server to its first successful reply. */
import { Client } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { startPeer, startStandin } from "./servers.mjs";

const rounds = 15;

const first = (start, method, path, body) => async () => {
  const started = performance.now();
  const server = await start();
  const client = new Client(server.url);
  await client.call(method, path, body);
  const ms = performance.now() - started;
  client.close();
  await server.stop("SIGKILL");
  return ms;
};

const phone = ["POST", "/v1/phone/verify/start", { phone: "08031234567" }];

export default async function coldStart() {
  const ms = medians(
    await interleaved(rounds, {
      static: first(() => startPeer("static"), "GET", "/"),
      health: first(() => startStandin(), "GET", "/healthz"),
      expressBalance: first(() => startPeer("express"), "GET", "/v1/balance"),
      balance: first(() => startStandin(), "GET", "/v1/balance"),
      expressPhone: first(() => startPeer("express"), ...phone),
      phone: first(() => startStandin(), ...phone),
    }),
  );
  const beside = (figure, name, peer, besideIs, most) =>
    row({
      figure,
      unit: "ms",
      standin: ms[name],
      beside: ms[peer],
      besideIs,
      ...(most ? { reach: `≤ ${most}`, reached: ms[name] <= most * ms[peer] } : {}),
    });
  return [
    beside("first GET /healthz", "health", "static", "static node:http"),
    beside("first GET /v1/balance", "balance", "static", "static node:http", 1.8),
    beside("first GET /v1/balance", "balance", "expressBalance", "Express 5", 0.65),
    beside("first phone/verify/start", "phone", "static", "static node:http"),
    beside("first phone/verify/start", "phone", "expressPhone", "Express 5"),
  ];
}
