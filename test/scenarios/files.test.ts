/** The files of scenarios/: each is documentation, demo and test. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSources, type ScenarioSource } from "../../src/cli/scenario/sources.js";
import { type Sandbox, startSandbox } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";

const sources = await readSources(await bundledScenarioNames());
const warnings: string[] = [];
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ validateReplies: true, warn: (message) => warnings.push(message) });
});
afterAll(async () => {
  await sandbox.close();
  expect(warnings).toEqual([]);
});

const walks = new Map<string, ReturnType<typeof walkThrough>>();

/** Runs each file once, on its own account. */
function walk(source: ScenarioSource) {
  const taken = walks.get(source.name) ?? walkThrough(source);
  walks.set(source.name, taken);
  return taken;
}

const walkThrough = ({ scenario, readFixture }: ScenarioSource) =>
  sandbox.account({ mode: scenario.account ?? "test" }).scenario.run(scenario, { readFixture });

describe("a run of every scenario passes", () => {
  for (const source of sources) {
    test(source.scenario.name, async () => {
      const { steps, skipped } = await walk(source);
      const problems = steps.map(({ step, title, problems }) => ({ step, title, problems }));
      expect(problems.filter((one) => one.problems.length > 0)).toEqual([]);
      expect(steps.length).toBeGreaterThan(0);
      expect(skipped).toBe(0);
    });
  }
});

test.each(sources)(
  "$name has a schema for editors and a description for readers",
  async ({ file, scenario }) => {
    expect(await readFile(file, "utf8")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/contracts\/scenario\.schema\.json\n/,
    );
    expect(scenario.description).toMatch(/.{40,}\.$/s);
    expect(scenario.steps?.some(({ say }) => say !== undefined)).toBe(true);
  },
);

test("one that uploads files runs by name", async () => {
  const { passed } = await sandbox.account().scenario.run("document-and-face");
  expect(passed).toBe(true);
});

test("no two scenarios have the same name", () => {
  const names = sources.map(({ scenario }) => scenario.name);
  expect(names).toEqual([...new Set(names)]);
});

describe("docs/scenarios.md", () => {
  const section = () => readFile("docs/scenarios.md", "utf8");

  test("names every file of the folder in its table, and no others", async () => {
    const named = [...(await section()).matchAll(/\[([a-z-]+)\]\(\.\.\/scenarios\/([a-z-]+)\.yaml\)/g)];
    expect(named.map(([, , file]) => file).sort()).toEqual(sources.map(({ name }) => name));
    expect(named.filter(([, shown, file]) => shown !== file)).toEqual([]);
  });

  test("shows payout-rejected verbatim", async () => {
    const shown = /```yaml\n([\s\S]*?)```/.exec(await section())?.[1];
    expect(shown).toBe(await readFile("scenarios/payout-rejected.yaml", "utf8"));
  });
});

const fileTools = [
  "createStoreAssets",
  "convertPdfToDocx",
  "convertDocxToPdf",
  "convertAudio",
  "removeBackground",
  "generateLogo",
];

describe("all scenarios together", () => {
  const covered = async () => {
    for (const source of sources) await walk(source);
    return sandbox.coverage();
  };

  test("call every operation of the service except the file tools", async () => {
    const { operations } = await covered();
    const unused = operations.filter(({ calls }) => calls === 0).map(({ operation }) => operation);
    expect(unused).toEqual(fileTools);
  });

  test("make every transition of the service's machines except these", async () => {
    const { transitions } = await covered();
    const unused = transitions.filter(({ count }) => count === 0);
    expect(unused.map(({ machine, move, from }) => `${machine}: ${move} from ${from}`)).toEqual([
      "channel: connect_website from disconnected",
      "channel: connect_website from connecting",
      "payment: hold from pending",
      "payment: hold from failed",
      "delivery: attempt from pending",
      "delivery: retry from pending",
      "delivery: retry from succeeded",
    ]);
  });

  test("send every event", async () => {
    const { events } = await covered();
    expect(events.filter(({ count }) => count === 0).map(({ event }) => event)).toEqual([]);
  });
});
