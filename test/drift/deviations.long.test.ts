/** Twenty deviations of a service, made by an Express server in front of a sandbox: each is found once. */
import { describe, expect, test } from "vitest";
import { planDrift } from "../../src/drift/plan-drift.js";
import type { SandboxAccount } from "../../src/index.js";
import { shareOf } from "../support/repetitions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import {
  type Deviate,
  deviations,
  front,
  type Intercept,
  shownByReplies,
  start,
} from "./deviating-service.js";
import { planAll, runPlan } from "./own-sandbox.js";
import { everything, limits } from "./second-sandbox.js";

const sandbox = useListeningSandbox();
const scenarios = await planAll();

async function compare(
  account: SandboxAccount,
  scenario: string,
  route: RegExp,
  deviate: Deviate,
  intercept?: Intercept,
) {
  const played = scenarios.filter(({ name }) => name === scenario);
  const plan = planDrift({ ...limits, means: { ...everything, only: [] }, scenarios: played, all: true });
  const baseUrl = await front(sandbox.url, route, deviate, intercept);
  const report = await runPlan(plan, account, { baseUrl });
  const findings = report.operations.flatMap(({ findings: own }) => own);
  return { report, findings: findings.map(({ operation, at, problem }) => `${operation} ${at} ${problem}`) };
}

/** Deviations that the replies alone show, of which short runs try a third. */
const shown = deviations.filter(([title]) => !(title in shownByReplies));
const compared = [...deviations.filter(([title]) => title in shownByReplies), ...shareOf(shown, 3, 0)];

describe("found, and found once", () => {
  test.each(compared)("%s", async (_title, scenario, route, deviate, found) => {
    const { findings } = await compare(sandbox.account(), scenario, route, deviate);
    expect(findings).toEqual([expect.stringContaining(found)]);
  });
});

describe("no drift", () => {
  test("latency", async () => {
    const slow = () => new Promise<void>((resolve) => setImmediate(resolve));
    expect((await compare(sandbox.account(), "phone-code", /./, slow)).findings).toEqual([]);
  });

  test("other ids and other times", async () => {
    const used = sandbox.account();
    await used.advance("90d");
    expect((await compare(used, "payment-received", /./, () => {})).findings).toEqual([]);
  });

  test("ids in upper case after their prefix, with dashes", async () => {
    const theirs: Deviate = ({ body }) => {
      body.id = body.id?.replace(/_.*/, (rest: string) => rest.toUpperCase().replace(/.{4}/g, "$&-"));
    };
    const ours: Intercept = ({ body }) => {
      if (body?.id) body.id = body.id.toLowerCase().replaceAll("-", "");
      return null;
    };
    const { findings, report } = await compare(sandbox.account(), "phone-code", /phone/, theirs, ours);
    expect(findings).toEqual([]);
    expect(report.noise).toEqual([]);
  });

  test("a difference in one of two runs is noise", async () => {
    const once: Deviate = ({ body }, count) => {
      if (count === 1) body.carrier = "mtn";
    };
    const { findings, report } = await compare(sandbox.account(), "phone-code", start, once);
    expect(findings).toEqual([]);
    expect(report.noise.map(({ operation, at }) => [operation, at])).toEqual([
      ["startPhoneVerification", "carrier"],
    ]);
  });

  test("an outage could not be checked", async () => {
    const down: Deviate = (reply) => {
      reply.status = 503;
    };
    const { findings, report } = await compare(sandbox.account(), "phone-code", start, down);
    expect(findings).toEqual([]);
    expect(report.operations.find(({ operation }) => operation === "startPhoneVerification")).toMatchObject({
      verdict: "could not check",
      reasons: expect.arrayContaining(["POST /v1/phone/verify/start → 503"]),
    });
  });
});
