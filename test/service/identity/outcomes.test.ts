import { describe, expect, test } from "vitest";
import type { OutcomeName, SandboxAccount } from "../../../src/index.js";
import { pngOf } from "../../support/forms.js";
import { call, useSandbox } from "../../support/sandbox.js";
import {
  type CheckId,
  checkIds,
  checks,
  costOf,
  lookupIds,
  modes,
  send,
  sendFiles,
  storedChecks,
} from "./checks.js";
import { expected, seen } from "./expected.js";

const sandbox = useSandbox();

interface Listed {
  operation: string;
  outcomes: { name: string }[];
}

test.each(checkIds)("%s has exactly the outcomes covered here", async (id) => {
  const { items } = await sandbox.account().control<{ items: Listed[] }>("GET", "/outcomes");
  const declared = items.find(({ operation }) => operation === id)?.outcomes.map(({ name }) => name);
  expect(declared?.sort()).toEqual(Object.keys(expected[id]).sort());
});

const all = checkIds.flatMap((id) => Object.keys(expected[id]).map((outcome) => ({ id, outcome })));
const costly = (id: CheckId, status: number): number => (status < 300 ? checks[id].price : 0);

describe.each(modes)("on a %s key", (mode) => {
  test.each(all)("the header selects $outcome for $id", async ({ id, outcome }) => {
    const account = sandbox.account({ mode });
    const { reply, cost } = await costOf(account, () =>
      send(account, id, {}, { "X-Sandbox-Outcome": outcome }),
    );
    expect(seen(reply)).toEqual(expected[id][outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=header`);
    expect(cost).toBe(costly(id, reply.status));
  });

  test.each(all)("a rule selects $outcome for $id", async ({ id, outcome }) => {
    const account = sandbox.account({ mode });
    await account.rules.add({ on: id, outcome: outcome as OutcomeName });
    const { reply, cost } = await costOf(account, () => send(account, id));
    expect(seen(reply)).toEqual(expected[id][outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=rule`);
    expect(cost).toBe(costly(id, reply.status));
  });

  test.each(checkIds)("%s succeeds by default", async (id) => {
    const reply = await send(sandbox.account({ mode }), id);
    const [outcome = ""] = Object.keys(expected[id]);
    expect(seen(reply)).toEqual(expected[id][outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=default`);
    expect(reply.body).toMatchObject({ id: expect.stringMatching(/^ver_/), type: checks[id].type });
  });
});

const adaeze = "22301948576";
const askedByHeader = { "X-Sandbox-Outcome": "partial_match" };

describe("what decides", () => {
  const decided = async (account: SandboxAccount, bvn: string, headers: Record<string, string> = {}) =>
    (await send(account, "verifyBvn", { bvn }, headers)).headers.get("X-Sandbox-Outcome");

  test("a header takes precedence over a rule, a rule over a test value, a test value over the default", async () => {
    const account = sandbox.account();
    const value = "22222222221";
    expect(await decided(account, value)).toBe("not_found; by=test-value");
    await account.rules.add({ on: "verifyBvn", outcome: "no_match" });
    expect(await decided(account, value)).toBe("no_match; by=rule");
    expect(await decided(account, value, askedByHeader)).toBe("partial_match; by=header");
  });

  test("header and rule take precedence over a known person", async () => {
    const account = sandbox.account();
    expect(await decided(account, adaeze)).toBe("match; by=people");
    expect(await decided(account, adaeze, askedByHeader)).toBe("partial_match; by=header");
    await account.rules.add({ on: "verifyBvn", outcome: "not_found" });
    expect(await decided(account, adaeze)).toBe("not_found; by=rule");
  });

  test("in an account match the BVN takes precedence over the account number", async () => {
    const both = { bvn: "22222222225", account_number: "0000000001" };
    const { body } = await send(sandbox.account(), "verifyBvnAccountMatch", both);
    expect(body.data.match_status).toBe("PARTIAL_MATCH");
  });

  test("in a face match the selfie takes precedence over the ID photo", async () => {
    const both = { selfie: "timeout.png", id_photo: "nomatch.png" };
    expect((await send(sandbox.account(), "verifyFaceMatch", both)).status).toBe(504);
  });

  test.each(["SPOOF.PNG", "aspoofb", "../spoof/../me.png.spoof"])(
    "the file name %s asks for a spoof",
    async (file) => {
      const { body } = await send(sandbox.account(), "verifyLiveness", { file });
      expect(body.confidence_score).toBeLessThan(75);
    },
  );

  test("the same photos get the same score on every account and under any name; different photos get different scores", async () => {
    const names = { selfie: "a.png", id_photo: "b.png" };
    const scoreOf = async (size: number, filenames = names) => {
      const { path } = checks.verifyFaceMatch;
      const { body } = await sendFiles(sandbox.account(), path, filenames, {}, pngOf(size));
      return body.confidence_score;
    };
    const scores = await Promise.all([100, 101, 102, 103, 104, 105].map((size) => scoreOf(size)));
    expect(await scoreOf(100, { selfie: "c.png", id_photo: "d.png" })).toBe(scores[0]);
    expect(new Set(scores).size).toBeGreaterThan(1);
  });
});

describe("scores of forty pictures", () => {
  async function scoresOf(id: CheckId, outcome: string): Promise<number[]> {
    const { path, files } = checks[id] as { path: string; files: readonly string[] };
    const names = Object.fromEntries(files.map((field) => [field, "photo.png"]));
    const account = sandbox.account();
    const sizes = Array.from({ length: 40 }, (_, at) => 100 + at);
    const replies = await Promise.all(
      sizes.map((size) => sendFiles(account, path, names, { "X-Sandbox-Outcome": outcome }, pngOf(size))),
    );
    return replies.map(({ body }) => body.confidence_score);
  }

  test("are 75 or more for live photos and less for a spoof", async () => {
    expect(Math.min(...(await scoresOf("verifyLiveness", "live")))).toBeGreaterThanOrEqual(75);
    expect(Math.max(...(await scoresOf("verifyLiveness", "spoof")))).toBeLessThan(75);
  });

  test("are those of a match for one face and far lower for two", async () => {
    expect(Math.min(...(await scoresOf("verifyFaceMatch", "match")))).toBeGreaterThanOrEqual(80);
    expect(Math.max(...(await scoresOf("verifyFaceMatch", "no_match")))).toBeLessThan(50);
  });
});

test("a match percentage is the confidence score", async () => {
  const account = sandbox.account();
  for (const outcome of ["match", "partial_match", "no_match"]) {
    const { body } = await send(account, "verifyBvnAccountMatch", {}, { "X-Sandbox-Outcome": outcome });
    expect(body.data.match_percentage).toBe(body.confidence_score);
  }
});

test.each(checkIds)("an outcome that %s does not have is a 400 that lists its own", async (id) => {
  const account = sandbox.account();
  const { reply, cost } = await costOf(account, () =>
    send(account, id, {}, { "X-Sandbox-Outcome": "sms_failed" }),
  );
  expect(reply).toMatchObject({ status: 400, body: { error: { code: "unknown_outcome" } } });
  for (const outcome of Object.keys(expected[id])) expect(reply.body.error.message).toContain(outcome);
  expect(cost).toBe(0);
});

test.each(checkIds)("%s that the wallet cannot pay is 402 and changes nothing", async (id) => {
  const account = sandbox.account();
  await account.update({ balance: checks[id].price - 1 });
  const { reply, cost } = await costOf(account, () => send(account, id));
  expect(seen(reply)).toEqual({ status: 402, code: "insufficient_balance" });
  expect(cost).toBe(0);
  expect(await storedChecks(account)).toEqual([]);
  await account.update({ balance: checks[id].price });
  expect((await send(account, id)).status).toBe(200);
});

test.each(checkIds)("a free call pays for %s if it is a lookup by number, and not for photos", async (id) => {
  const account = sandbox.account();
  await account.update({ free_tier: 2 });
  const left = async () => (await call(account, "GET", "/v1/balance")).body.free_tier_remaining;
  await send(account, id, {}, { "X-Sandbox-Outcome": "provider_unavailable" });
  expect(await left()).toBe(2);
  const isLookup = lookupIds.includes(id);
  expect((await costOf(account, () => send(account, id))).cost).toBe(isLookup ? 0 : checks[id].price);
  expect(await left()).toBe(isLookup ? 1 : 2);
});
