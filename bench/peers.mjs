/** Measures requests per second beside third-party mock servers, which answer by the contract or by stubs and check key and body. */
import { freshWallet } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { balance, load, phoneStart } from "./load.mjs";
import { others, startOther } from "./other-servers.mjs";
import { startStandin } from "./servers.mjs";

const rounds = 3;
/** Long enough for Java to have compiled what it runs. */
const warmUpSeconds = 5;
const kinds = { "GET balance": balance(), "POST phone/verify/start": phoneStart() };

export default async function peers() {
  const standin = await startStandin(["--data", tempFolder()]);
  const rows = [];
  try {
    for (const name of Object.keys(others)) {
      const other = await startOther(name);
      for (const [kind, request] of Object.entries(kinds))
        rows.push(await compare(name, kind, request, { standin, other }));
      await other.stop("SIGKILL");
    }
  } finally {
    await standin.stop("SIGKILL");
  }
  return rows;
}

async function compare(name, kind, request, { standin, other }) {
  const run = {
    standin: alone(other, async (seconds) => {
      await freshWallet(standin.url);
      return load(standin, { ...request, seconds });
    }),
    other: alone(standin, (seconds) => load(other, { ...request, seconds })),
  };
  for (const warmUp of Object.values(run)) await warmUp(warmUpSeconds);
  const once = { standin: () => run.standin(), other: () => run.other() };
  const { standin: ours, other: theirs } = medians(await interleaved(rounds, once), "perSecond");
  return row({
    figure: `${kind} with a folder, a second`,
    standin: ours,
    beside: theirs,
    besideIs: name,
    reach: "≥ 3",
    reached: ours >= 3 * theirs,
  });
}

/** Stops the other server while a function runs: Java still works on what it has answered, on the same core. */
const alone = (stopped, run) => async (seconds) => {
  stopped.child.kill("SIGSTOP");
  try {
    return await run(seconds);
  } finally {
    stopped.child.kill("SIGCONT");
  }
};
