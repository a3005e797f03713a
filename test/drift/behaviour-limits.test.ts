/** Limits that no schema states: the service's table says what its behaviour shows, and a run sees each of them. */
import { expect, test } from "vitest";
import { toNaira } from "../../src/contract/money.js";
import { behaviourLimitChecks } from "../../src/drift/checks/behaviour-limits.js";
import { planDrift } from "../../src/drift/plan-drift.js";
import type { DriftMeans, DriftReport } from "../../src/drift/run-drift.js";
import { confirmLinkLifetimeMs } from "../../src/service/address/check.js";
import { receiveLimit } from "../../src/service/business/ledger.js";
import {
  defaultCodeTtlMinutes,
  defaultLength,
  maxPerDay,
  maxPerHour,
  maxWrongTries,
} from "../../src/service/channels/codes.js";
import { defaultQuestionTtlMinutes } from "../../src/service/channels/identity-questions.js";
import { codeLength, codeLifetimeMs, maxWrongCodes } from "../../src/service/phone/phone.js";
import { tokenLifetimeMs } from "../../src/service/sessions/sessions.js";
import { minute } from "../../src/time/time.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { type Deviate, front, type Intercept } from "./deviating-service.js";
import { runPlan } from "./own-sandbox.js";
import { everything, limits } from "./second-sandbox.js";

const sandbox = useListeningSandbox();

async function run(
  ids: readonly string[],
  route?: RegExp,
  deviate: Deviate = () => {},
  intercept?: Intercept,
  more: Partial<DriftMeans> = {},
) {
  const account = sandbox.account();
  const baseUrl = route ? await front(sandbox.url, route, deviate, intercept) : account.baseUrl;
  const plan = planDrift({ ...limits, means: { ...everything, slow: true }, scenarios: [], all: true });
  const checks = plan.checks.filter(({ id }) => ids.includes(id));
  return runPlan({ ...plan, probes: [], checks }, account, { baseUrl, ...more });
}

const foundIn = ({ findings }: DriftReport): string[] => findings.map(({ check }) => check);

/** What the sandbox shows of each limit. */
const shown: Readonly<Record<string, string | number>> = {
  "limit.phone.tries": maxWrongCodes,
  "limit.phone.digits": codeLength,
  "limit.phone.minutes": codeLifetimeMs / minute,
  "limit.channel_code.tries": maxWrongTries,
  "limit.channel_code.digits": defaultLength,
  "limit.channel_code.per_hour": maxPerHour,
  "limit.channel_code.per_day": maxPerDay,
  "limit.channel_code.minutes": defaultCodeTtlMinutes,
  "limit.identity_check.minutes": defaultQuestionTtlMinutes,
  "limit.address.minutes": confirmLinkLifetimeMs / minute,
  "limit.session.minutes": tokenLifetimeMs / minute,
  "limit.video.seconds": "later 400 video_too_long",
  "limit.business.received": toNaira(receiveLimit),
};

test("the behaviour shows the value of each limit", async () => {
  expect(behaviourLimitChecks.map(({ id }) => id)).toEqual(Object.keys(shown));
  const { checks, findings } = await run(Object.keys(shown));
  expect(findings).toEqual([]);
  for (const { check, observed } of checks)
    expect(observed, check).toMatch(new RegExp(`^[\\w ]+ ${shown[check]}(,|$)`));
});

test("a service that sends seven codes a day to a person is named", async () => {
  const counts = new Map<string, number>();
  const intercept: Intercept = ({ body }) => {
    const count = (counts.get(body?.to) ?? 0) + 1;
    counts.set(body?.to, count);
    const refusal = { status: 429, type: "application/json", body: { error: { code: "otp_daily_limit" } } };
    return count > 7 ? refusal : null;
  };
  const report = await run(["limit.channel_code.per_day"], /\/otp$/, () => {}, intercept);
  expect(report.findings).toEqual([
    expect.objectContaining({ problem: expect.stringContaining("sent 7 (sandbox: 8)") }),
  ]);
});

test("a service that sends codes of eight digits is named", async () => {
  const { findings } = await run(["limit.phone.digits"], undefined, undefined, undefined, {
    readCode: async () => "12345678",
  });
  expect(findings).toEqual([
    expect.objectContaining({ problem: "digits of a phone code: digits 8 (sandbox: 6)" }),
  ]);
});

test("a service that sends codes of four digits through a channel is named, and one that sends no longer ones", async () => {
  const found = async (readCode: DriftMeans["readCode"]) => {
    const report = await run(["limit.channel_code.digits"], undefined, undefined, undefined, { readCode });
    return report.findings.map(({ problem }) => problem);
  };
  expect(await found(async () => "1234")).toEqual([
    expect.stringMatching(/^digits of a code of a channel by default: digits 4 \(sandbox: 6\)/),
  ]);
  expect(await found(async () => "123456")).toEqual([expect.stringContaining("digits of 8 6 (sandbox: 8)")]);
});

test("a service whose list of audits shows the newest alone is named", async () => {
  const deviate: Deviate = (reply) => {
    reply.body = reply.body.slice(0, 1);
  };
  const { findings } = await run(["free.audit_standard"], /^GET \/v1\/audits$/, deviate);
  expect(findings).toEqual([
    expect.objectContaining({ problem: expect.stringContaining("listed 1 of 2 (sandbox: all)") }),
  ]);
});

test("a service that refuses long videos under another name is named", async () => {
  const deviate: Deviate = ({ body }) => {
    if (body?.error?.code === "video_too_long") body.error.code = "video_duration";
  };
  expect(foundIn(await run(["limit.video.seconds"], /video/, deviate))).toEqual(["limit.video.seconds"]);
});

test("a video of more than 200 MB is refused on both sides", async () => {
  const { checks } = await run(["limit.scanVideo.file.size"]);
  expect(checks).toEqual([
    expect.objectContaining({ verdict: "confirmed", observed: "answer 413 file_too_large" }),
  ]);
});
