/** Measures one advance of the clock over 100,000 due jobs, the expiries of phone codes. */
import { Client, freshWallet } from "./client.mjs";
import { formatFigure, median, row } from "./figures.mjs";
import { load, phoneStart } from "./load.mjs";
import { startStandin } from "./servers.mjs";

const jobs = 100_000;
const rounds = 3;

export default async function timeTravel() {
  const server = await startStandin();
  const client = new Client(server.url);
  const [full, empty] = [[], []];
  try {
    for (let round = 0; round < rounds; round++) {
      await freshWallet(server.url);
      await client.call("POST", "/_sandbox/clock/freeze", {});
      empty.push(await client.time("POST", "/_sandbox/clock/advance", { by: "1s" }));
      await load(server, { ...phoneStart(), amount: jobs });
      full.push(await client.time("POST", "/_sandbox/clock/advance", { by: "24h" }));
    }
  } finally {
    client.close();
    await server.stop("SIGKILL");
  }
  const standin = median(full) - median(empty);
  return [
    row({
      figure: "advance over 100,000 due jobs",
      unit: "ms",
      standin,
      besideIs: `${formatFigure((median(full) / jobs) * 1_000, "µs")} a job`,
      reach: "< 1,000 ms",
      reached: standin < 1_000,
    }),
  ];
}
