/** Every recording passes on a fresh account, and fails when one of its expectations is changed. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { Random } from "../../../src/time/random.js";
import { repetitions } from "../../support/repetitions.js";
import { useSandbox } from "../../support/sandbox.js";
import { accountOf, planSession, playSession } from "./random-session.js";

const sandbox = useSandbox();
const count = Number(process.env.STANDIN_SESSIONS ?? repetitions(18, 500));
const offset = Number(process.env.STANDIN_FIRST_SESSION ?? 0);

interface Recorded {
  scenario: { steps: Record<string, unknown>[] };
  files: { name: string; base64: string }[];
  left_out: string[];
}

const record = (account: SandboxAccount, since = ""): Promise<Recorded> =>
  account.control("GET", `/export/scenario${since === "" ? "" : `?since=${encodeURIComponent(since)}`}`);

async function run({ scenario, files }: Recorded, seed: string) {
  const readFixture = async (name: string) => {
    const found = files.find((file) => file.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return Buffer.from(found.base64, "base64");
  };
  const account = await accountOf(sandbox, seed);
  const { steps, passed } = await account.scenario.run(scenario, { readFixture });
  return passed ? [] : [JSON.stringify(steps.at(-1)), JSON.stringify(scenario.steps[steps.length - 1])];
}

/** Returns the paths of all expected values. */
function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Returns the recording with one expected value replaced by another that nothing has. */
function changed(recorded: Recorded, random: Random): Recorded {
  const copy = structuredClone(recorded);
  const places = copy.scenario.steps.flatMap((step, at) =>
    leavesOf(step.expect ?? {})
      .filter((path) => path.length > 0)
      .map((path) => ({ at, path })),
  );
  const { at, path } = places[random.integer(0, places.length - 1)] as (typeof places)[number];
  const last = path.pop() as string;
  const parent = path.reduce(
    (inner, key) => (inner as Record<string, unknown>)[key],
    copy.scenario.steps[at]?.expect,
  );
  const isStatusOfReply = path.length === 0 && last === "status" && copy.scenario.steps[at]?.call;
  (parent as Record<string, unknown>)[last] = isStatusOfReply ? 299 : "something else";
  return copy;
}

test.each(Array.from({ length: count }, (_, at) => `session ${offset + at}`))(
  "the recording of random %s passes, and fails when an expectation is changed",
  async (seed) => {
    const account = await accountOf(sandbox, seed);
    await playSession(account, seed);
    const recorded = await record(account);
    expect(await run(recorded, `run of ${seed}`), planSession(seed).join(" ")).toEqual([]);
    const other = changed(recorded, Random.seeded(seed, "change"));
    expect(await run(other, `changed ${seed}`)).not.toEqual([]);
  },
);

test.each(Array.from({ length: repetitions(6, 60) }, (_, at) => `session since ${offset + at}`))(
  "the recording of random %s from the middle on passes",
  async (seed) => {
    const account = await accountOf(sandbox, seed);
    const plan = planSession(seed);
    await playSession(account, seed, plan);
    const { items } = await account.control<{ items: { id: string; cause: string | null }[] }>(
      "GET",
      "/activity?limit=1000",
    );
    const roots = items.filter(({ cause }) => cause === null);
    const since = roots[Random.seeded(seed, "since").integer(0, roots.length - 1)];
    expect(await run(await record(account, since?.id), `run of ${seed}`), plan.join(" ")).toEqual([]);
  },
);
