/** Measures how long an exam takes for the first disturbances of its plan, on suites of a right client. */
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatFigure, row } from "./figures.mjs";
import { dist, spawnOn, ticksPerSecond } from "./servers.mjs";

/** Number of disturbances, the most important first. */
const disturbances = 60;
const shop = fileURLToPath(new URL("peers/exam-shop.mjs", import.meta.url));

/** `testMs`: time that each test takes beside its requests, half of it on the CPU. */
const suites = [
  { tests: 5, testMs: 750, reachSeconds: 120 },
  { tests: 50, testMs: 200, reachSeconds: 360 },
];

export default async function exam() {
  const rows = [];
  for (const suite of suites) {
    const folder = mkdtempSync(join(tmpdir(), "standin-bench-exam-"));
    try {
      rows.push(await measure(folder, suite));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function measure(folder, { tests, testMs, reachSeconds }) {
  cpSync(shop, join(folder, "shop.mjs"));
  writeFileSync(
    join(folder, "shop.test.mjs"),
    `import { addTests } from "./shop.mjs";\naddTests(Number(process.env.TESTS), Number(process.env.TEST_MS));\n`,
  );
  // Without time for more than the undisturbed runs, the report lists the plan in its order.
  // It is the same for more tests of the same kinds.
  const few = { tests: Math.min(tests, 15), testMs: 0 };
  const { card: plan } = await examine(folder, few, ["--budget", "1ms"]);
  const ids = firstOf(plan.not_tried.map(({ id }) => id));
  const { card, cpuSeconds } = await examine(folder, { tests, testMs }, [
    "--budget",
    "15m",
    "--only",
    ids.join(),
  ]);
  const { baseline, tried, findings, runs, duration_ms } = card;
  if (findings.length > 0) process.stderr.write(`found: ${findings.map(({ id }) => id).join(", ")}\n`);
  const run = formatFigure(baseline.duration_ms / 1_000, "s");
  return row({
    figure: `exam of ${tests} tests, ${disturbances} disturbances`,
    unit: "s",
    standin: duration_ms / 1_000,
    besideIs: `${tried.length} tried in ${runs} runs of ${run}, ${formatFigure(cpuSeconds, "s")} of CPU`,
    reach: `< ${reachSeconds} s`,
    reached: card.complete && duration_ms < reachSeconds * 1_000,
  });
}

/** Returns the first ids that select so many disturbances: `--only` selects those below an id as well. */
function firstOf(plan) {
  const selected = (count) =>
    plan.filter((id) => plan.slice(0, count).some((first) => id === first || id.startsWith(`${first}/`)));
  let count = 1;
  while (count < plan.length && selected(count + 1).length <= disturbances) count++;
  return plan.slice(0, count);
}

/** Runs an exam on both cores. Resolves to its report card, and to the CPU time of all its processes. */
async function examine(folder, { tests, testMs }, flags) {
  const before = cpuOfChildren();
  const args = [
    `${dist}/standin.cjs`,
    "exam",
    ...flags,
    "--card",
    "card.json",
    "--",
    process.execPath,
    "--test",
  ];
  const env = { ...process.env, TESTS: String(tests), TEST_MS: String(testMs) };
  const child = spawnOn("0,1", args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code === 2) throw new Error("the suite does not pass undisturbed");
  return {
    card: JSON.parse(readFileSync(join(folder, "card.json"), "utf8")),
    cpuSeconds: cpuOfChildren() - before,
  };
}

/** Returns the CPU seconds of the children that have ended, and of their children. NaN without /proc. */
function cpuOfChildren() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}
