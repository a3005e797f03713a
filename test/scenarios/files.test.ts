/** The files of scenarios/: each is documentation, demo and test. Each is played once, and everything that holds of any is checked. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSources, type ScenarioSource } from "../../src/cli/scenario/sources.js";
import type { ActivityEntry, CoverageReport } from "../../src/client/account/types.js";
import { describeStep } from "../../src/client/scenario-run/describe.js";
import { pathOf } from "../../src/contract/operation.js";
import { formatExport } from "../../src/documents/export/kinds.js";
import { formatSvg } from "../../src/documents/story/picture.js";
import { isPause, type Story, type StoryStep, tell } from "../../src/documents/story/story.js";
import type { SandboxAccount } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { serviceOperations } from "../../src/service/index.js";
import { machines } from "../../src/service/machines.js";
import { operations } from "../contract/alternatives/asking.js";
import { useListeningSandbox, useSandbox } from "../support/sandbox.js";
import { bytesOf, expectSameReplies, restoreCopy } from "../support/snapshots.js";
import { type Bundle, masked, numbersIn, openBundle, secretsOf, shown } from "./bundles.js";
import { parse } from "./files.js";

const sources = await readSources(await bundledScenarioNames());
const sandbox = useListeningSandbox();
/** Where bundles are opened. */
const other = useSandbox();
afterAll(() => expect([...sandbox.warnings, ...other.warnings]).toEqual([]));

interface Played {
  account: SandboxAccount;
  result: Awaited<ReturnType<SandboxAccount["scenario"]["run"]>>;
  /** All activities, each before its effects, without the time that replies took. */
  activities: readonly ActivityEntry[];
  /** Those before the run ended by the clock of this machine: the clocks of many scenarios stand at another time. */
  own: readonly ActivityEntry[];
  /** The sentences by which lists show its stories, events and deliveries, its steps and its timeline, and what the clock brings next. */
  sentences: readonly string[];
}

/** Coverage of each scenario. */
const coverages: CoverageReport[] = [];

async function play({ name, scenario, readFixture }: ScenarioSource): Promise<Played> {
  const mode = scenario.account ?? "test";
  // Ids follow from the key, so that pictures stay the same.
  const account = sandbox.account({ key: `svc_${mode}_story_of_${name}`, mode });
  const startedAt = new Date().toISOString();
  const result = await account.scenario.run(scenario, { readFixture });
  const activities = (await account.activity.list({ limit: 1_000 }))
    .reverse()
    .map((entry) => ({ ...entry, call: entry.call && { ...entry.call, duration_ms: null } }));
  coverages.push(await account.coverage());
  const stories = await account.call("listActivity", { query: { limit: 1_000, stories: true } });
  const { next_job } = await account.clock.get();
  const { loaded } = await account.call("listScenarios");
  const sentences = [
    ...stories.items.map(({ story }) => story?.says),
    ...activities.map(({ call }) => call?.does),
    ...(await account.events.list()).map(({ says }) => says),
    ...(await account.deliveries.list()).map(({ says }) => says),
    ...(loaded?.timeline ?? []).map(({ says }) => says),
    ...(scenario.steps ?? []).map((step) => step.say ?? describeStep(step)),
    next_job,
  ].filter((text) => typeof text === "string");
  return { account, result, activities, own: activities.filter(({ at }) => at < startedAt), sentences };
}

interface Archive {
  log: { entries: { comment: string }[] };
}

const stepsOf = ({ rows }: Story): StoryStep[] => rows.filter((row): row is StoryStep => !isPause(row));

const prefixes = [...machines.map(({ prefix }) => prefix), "rule_"].join("|");
const names = [
  ...machines.flatMap(({ name, states }) => [name, ...states]).filter((name) => name.includes("_")),
  ...serviceOperations.map(({ id }) => id),
];
/** Names of events and paths of requests are what a developer writes. */
const developersNames = /(?<= |^)[a-z_]+\.[a-z_]+(?= |$)|^[A-Z]+ \/\S+$|https?:\/\/\S+/g;

/** Returns whether a title has an id, or a name of an operation, a machine or a state that only the code uses. */
function isRaw(title: string): boolean {
  const text = title.replaceAll(developersNames, "");
  return new RegExp(`\\b(?:${prefixes})[a-z0-9]{8}|\\b(?:${names.join("|")})\\b`).test(text);
}

/** Scenarios with a clock of their own, whose pictures are the same in each run. */
const golden = [
  "address-review",
  "card-checkout",
  "channel-code",
  "deep-audit-failed",
  "identity-question",
  "payment-held",
  "payout-paid",
  "phone-code",
  "refund-failed",
  "wallet",
  "webhook-retries",
];

/** What the rules of conduct say of scenarios that show what the service refuses, by doing it. */
const deliberate: Readonly<Record<string, string>> = {
  "bvn-provider-down": "no-backoff verifyBvn",
  faults: "ignored-retry-after verifyNin",
  "payment-held": "held-as-paid createRefund",
  "phone-lockout": "stale-code checkPhoneVerification",
};

/** Operations whose replies depend on the state of the account: file tools, which take long, do not. */
const dependent = operations.filter((operation) => !pathOf(operation).startsWith("/v1/tools/"));

describe.each(sources.map((source, turn) => ({ ...source, source, turn })))(
  "$name",
  ({ name, scenario, source, turn }) => {
    let played: Played;
    beforeAll(async () => {
      played = await play(source);
    });

    test("passes", () => {
      const { steps, skipped } = played.result;
      const problems = steps.map(({ step, title, problems }) => ({ step, title, problems }));
      expect(problems.filter((one) => one.problems.length > 0)).toEqual([]);
      expect(steps.length).toBeGreaterThan(0);
      expect(skipped).toBe(0);
    });

    test("has a schema for editors and a description for readers", async () => {
      expect(await readFile(source.file, "utf8")).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/contracts\/scenario\.schema\.json\n/,
      );
      expect(scenario.description).toMatch(/.{40,}\.$/s);
      expect(scenario.steps?.some(({ say }) => say !== undefined)).toBe(true);
    });

    test("has a sentence for each of its events, which its deliveries have, too", async () => {
      const { account } = played;
      const events = new Map((await account.events.list()).map(({ id, says }) => [id, says]));
      for (const says of events.values()) expect(says).toMatch(/^[A-Z+].*\.$/);
      for (const { event_id, says } of await account.deliveries.list())
        expect(says).toBe(events.get(event_id));
    });

    test("is drawn with every activity once", () => {
      const { activities, sentences } = played;
      expect(activities.filter(({ title }) => isRaw(title))).toEqual([]);
      expect(sentences.filter(isRaw)).toEqual([]);
      const story = tell(activities);
      const captions = stepsOf(story).flatMap(({ lines }) => lines.filter(({ isReply }) => !isReply));
      expect(captions.map(({ label }) => label).filter(isRaw)).toEqual([]);
      const steps = stepsOf(story);
      expect(steps.flatMap(({ ids }) => ids).sort()).toEqual(activities.map(({ id }) => id).sort());
      const times = steps.map(({ from }) => from);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const drawn = steps.flatMap(({ lines }) => lines.flatMap(({ from, to }) => [from, to]));
      expect(new Set(drawn)).toEqual(new Set(story.lanes));
      expect(formatSvg(story, name).match(/<g class="step"/g)?.length ?? 0).toBe(steps.length);
    });

    if (golden.includes(name))
      test("looks as it did", async () => {
        const picture = formatSvg(tell(played.own), name)
          .replaceAll(sandbox.url, "http://localhost")
          .replaceAll(/127\.0\.0\.1:\d+/g, "localhost");
        await expect(picture).toMatchFileSnapshot(`../documents/story/pictures/${name}.svg`);
      });

    test("has webhooks that lead back to their causes", async () => {
      const { account } = played;
      const attempts = await account.activity.list({ kind: "attempt", limit: 1_000 });
      const events = await account.activity.list({ kind: "event", limit: 1_000 });
      expect(events.length).toBe((await account.events.list()).length);
      const all = [...attempts, ...events];
      const every = Math.ceil(all.length / 20);
      for (const { id } of all.filter((_, at) => at % every === 0)) {
        const { causes } = await account.activity.explain(id);
        expect(["request", "control", "page"]).toContain(causes[0]?.kind);
        expect(causes[0]?.cause).toBeNull();
      }
    });

    test("is good conduct, unless it shows what is wrong", async () => {
      const { findings } = await played.account.conduct();
      expect(findings.map(({ rule, about }) => `${rule} ${about}`)).toEqual(
        name in deliberate ? [deliberate[name]] : [],
      );
    });

    test("is recorded and archived with every call, without a secret", async () => {
      const { account } = played;
      const requests = await account.requests.list();
      const archive = await account.control<Archive>("GET", "/export/har");
      expect(archive.log.entries.map(({ comment }) => comment).reverse()).toEqual(
        requests.map(({ operation }) => operation ?? ""),
      );
      const recording = await account.scenario.record({ inline: true });
      const { steps = [] } = await parse(JSON.stringify(recording.scenario));
      // A receiver is registered by a request of its own.
      const recorded = steps.filter((step) => "call" in step || "receive" in step);
      expect(recorded).toHaveLength(requests.length - recording.left_out.length);
      const numbers = new Set(numbersIn(scenario));
      for (const secret of await secretsOf(account, scenario)) {
        const quoted = new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`);
        expect(JSON.stringify(archive)).not.toMatch(quoted);
        // The people of fixtures/people.json stay who they are.
        if (!numbers.has(secret)) expect(JSON.stringify(recording)).not.toMatch(quoted);
      }
    });

    test("shows the same elsewhere as a bundle, which has no secret", async () => {
      const { account } = played;
      await account.clock.freeze();
      const bundle = await account.control<Bundle>("GET", "/export/bundle");
      const text = JSON.stringify(bundle);
      // Keys, webhook secrets, and BVNs and NINs: phone numbers begin with a zero or a plus, or are longer.
      expect(text.match(/svc_(?:test|live)_\w+|whsec_\w+|(?<![\w+.-])[1-9]\d{10}(?![\w-])/g)).toBe(null);
      for (const secret of await secretsOf(account, scenario))
        expect(text).not.toMatch(new RegExp(`(?<!\\w)${secret}(?!\\w)`));
      const opened = await openBundle(other.account({ mode: bundle.mode }), bundle);
      expect((await opened.clock.get()).mode).toBe("paused");
      const tables = Object.keys(bundle.snapshot.state);
      const elsewhere = await shown(opened, tables);
      expect(elsewhere).toEqual(masked(await shown(account, tables), elsewhere));
    });

    // Last, since it asks for more.
    test("continues in a copy of its snapshot, which has the same bytes and gives the same next replies", async () => {
      const { account } = played;
      await account.clock.freeze();
      await account.advance("0s");
      const copy = sandbox.account({ mode: scenario.account ?? "test" });
      await restoreCopy(copy, await bytesOf(account));
      await expectSameReplies(
        account,
        copy,
        dependent.filter((_, at) => at % 20 === turn % 20),
      );
    });
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
  /** Returns what no scenario has covered, as `name` names it. */
  const uncovered = <Row>(
    rowsOf: (report: CoverageReport) => readonly Row[],
    count: (row: Row) => number,
    name: (row: Row) => string,
  ): string[] => {
    const rows = coverages.flatMap((report) => rowsOf(report));
    const covered = new Set(rows.filter((row) => count(row) > 0).map(name));
    return [...new Set(rows.map(name))].filter((each) => !covered.has(each));
  };

  test("call every operation of the service except the file tools", () => {
    expect(coverages).toHaveLength(sources.length);
    const unused = uncovered(
      ({ operations }) => operations,
      ({ calls }) => calls,
      ({ operation }) => operation,
    );
    expect(unused).toEqual(fileTools);
  });

  test("make every transition of the service's machines except these", () => {
    const unused = uncovered(
      ({ transitions }) => transitions,
      ({ count }) => count,
      ({ machine, move, from }) => `${machine}: ${move} from ${from}`,
    );
    expect(unused).toEqual([
      "channel: connect_website from disconnected",
      "channel: connect_website from connecting",
      "payment: hold from pending",
      "payment: hold from failed",
      "delivery: attempt from pending",
      "delivery: retry from pending",
      "delivery: retry from succeeded",
    ]);
  });

  test("send every event", () => {
    const unsent = uncovered(
      ({ events }) => events,
      ({ count }) => count,
      ({ event }) => event,
    );
    expect(unsent).toEqual([]);
  });

  test("are workflows of Arazzo with all of their steps, except those with files, receivers and dropped connections", async () => {
    const { workflows } = JSON.parse(await formatExport("arazzo", "http://127.0.0.1:4010")) as {
      workflows: { workflowId: string; steps: object[] }[];
    };
    const steps = new Map(workflows.map(({ workflowId, steps }) => [workflowId, steps.length]));
    expect(sources.map(({ name }) => name).filter((name) => !steps.has(name))).toEqual([
      "address-link-expired",
      "address-review",
      "address-verified",
      "document-and-face",
      "domain-verified",
      "faults",
      "identity-question",
      "identity-question-ends",
      "media-scan",
      "payment-held-twice",
      "webhook-adversary",
      "webhook-retries",
      "website-audit",
    ]);
    for (const { name, scenario } of sources)
      if (steps.has(name)) expect([name, steps.get(name)]).toEqual([name, 1 + (scenario.steps?.length ?? 0)]);
  });
});
