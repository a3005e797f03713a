import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, type Reply, useSandbox } from "../../support/sandbox.js";
import { costOf, getBalance } from "../account/calls.js";
import { essay, first, report, stock, yoruba } from "./texts.js";

const sandbox = useSandbox();
const path = "/v1/media-scan/text";

const scan = (text: unknown, headers = {}, account: SandboxAccount = sandbox.account()): Promise<Reply> =>
  post(account, path, { text }, headers);

interface Signal {
  title: string;
  measured: string;
}

describe("a text scan", () => {
  test("has only the fields of a text scan", async () => {
    const { status, body } = await scan(essay);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^scn_/),
      media_type: "text",
      status: "completed",
      verdict: "likely_authentic",
      signals: expect.any(Array),
      signal_count: body.signals.length,
      classifier_model: expect.stringMatching(/./),
      text_char_count: [...essay].length,
      cost: 0,
      is_test: true,
      created_at: expect.any(String),
    });
    expect((await scan(essay, {}, sandbox.account({ mode: "live" }))).body.is_test).toBe(false);
  });

  test("is free for an account's first text, and NGN 150 for each further one", async () => {
    const account = sandbox.account();
    const costs = [];
    for (const text of [essay, stock, essay])
      costs.push(await costOf(account, (on) => post(on, path, { text })));
    expect(costs).toEqual([0, 150, 150]);
    expect((await scan(essay)).body.cost).toBe(0);
  });

  test("that fails does not use the free one", async () => {
    const account = sandbox.account();
    expect((await scan("short", {}, account)).status).toBe(400);
    expect((await scan(essay, { "X-Sandbox-Outcome": "provider_timeout" }, account)).status).toBe(504);
    expect((await scan(essay, {}, account)).body.cost).toBe(0);
  });
});

describe("the length of a text", () => {
  test.each([
    ["letters", "a"],
    ["emoji, each of which counts one", "😀"],
    ["letters with tone marks", "ọ"],
  ])("must be at least 800 characters: %s", async (_what, letter) => {
    const account = sandbox.account();
    const { status, body } = await scan(letter.repeat(799), {}, account);
    expect([status, body.error.code, body.error.param]).toEqual([400, "text_too_short", "text"]);
    const taken = await scan(letter.repeat(800), {}, account);
    expect([taken.status, taken.body.text_char_count, taken.body.cost]).toEqual([201, 800, 0]);
  });

  test.each([
    ["", "text_too_short"],
    [" ".repeat(800), "text_too_short"],
    [`${"x".repeat(799)}   `, "text_too_short"],
    ["\ud800".repeat(800), "text_too_short"],
    [null, "validation_error"],
    [800, "validation_error"],
    [undefined, "missing_field"],
  ])("is refused for %j: %s", async (text, code) => {
    const { status, body } = await scan(text);
    expect([status, body.error.code, body.error.param]).toEqual([400, code, "text"]);
  });

  test.each([
    ["dots", `${".".repeat(900_000)}x`],
    ["line breaks", `.${"\n ".repeat(300_000)}x`],
    ["one word", "navigat".repeat(125_000)],
    ["spaces", `x${" ".repeat(900_000)}x`],
    ["tone marks without a letter", "\u0301".repeat(400_000)],
    ["nulls", "\u0000".repeat(1_000)],
  ])("of nearly a megabyte is measured quickly: %s", { timeout: 10_000 }, async (_what, text) => {
    const { status, body } = await scan(text);
    expect([status, body.text_char_count]).toEqual([201, [...text].length]);
  });
});

test("halves of characters do not count", async () => {
  const { status, body } = await scan(`${"x".repeat(800)}${"\ud800".repeat(100_000)}`);
  expect([status, body.text_char_count]).toEqual([201, 800]);
});

describe("the verdict on a text", () => {
  test.each([
    ["an essay with lively sentences", essay, "likely_authentic", "authentic"],
    ["even sentences of stock phrases", stock, "likely_ai", "likely_ai"],
    ["a plain report", report, "inconclusive", "inconclusive"],
  ])("%s", async (_what, text, verdict, outcome) => {
    const { body, headers } = await scan(text);
    expect([body.verdict, headers.get("X-Sandbox-Outcome")]).toEqual([verdict, `${outcome}; by=default`]);
    expect((await scan(text)).body.signals).toEqual(body.signals);
  });

  test("lists the signals that fired with their measured values", async () => {
    const { signals } = (await scan(stock)).body;
    expect(signals.map(({ title }: Signal) => title)).toEqual(
      expect.arrayContaining(["Uniform sentences", "Repeated phrases", "Stock phrases"]),
    );
    for (const signal of signals) {
      expect(Object.keys(signal).sort()).toEqual(["category", "detail", "measured", "severity", "title"]);
      expect(signal.measured).toMatch(/\d/);
    }
    expect(signals.find(({ title }: Signal) => title === "Uniform sentences").measured).toContain(
      "18 sentences",
    );
  });

  test("on Yorùbá measures its sentences, regardless of Unicode normalisation", async () => {
    const composed = (await scan(yoruba.normalize("NFC"))).body;
    const decomposed = (await scan(yoruba.normalize("NFD"))).body;
    expect(composed.signals).toEqual(decomposed.signals);
    expect(composed.signals.find(({ title }: Signal) => title === "Varied sentences").measured).toContain(
      "18 sentences",
    );
  });

  test("is given for a text of exactly the minimum length", async () => {
    expect((await scan(first(800, essay))).body.verdict).toBe("likely_authentic");
  });
});

describe("the outcome of a text scan", () => {
  const outcomes = [
    ["authentic", "likely_authentic"],
    ["likely_ai", "likely_ai"],
    ["likely_edited", "likely_edited"],
    ["inconclusive", "inconclusive"],
  ] as const;

  test.each(outcomes)("%s by header adds the classifier's signal", async (outcome, verdict) => {
    const measured = (await scan(report)).body.signals;
    const { body, headers } = await scan(report, { "X-Sandbox-Outcome": outcome });
    expect(headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=header`);
    expect(body.verdict).toBe(verdict);
    const [said, ...rest] = body.signals;
    expect(said).toMatchObject({ category: "classifier", measured: `requested by the outcome ${outcome}` });
    expect(rest).toEqual(measured);
    expect(body.signal_count).toBe(measured.length + 1);
  });

  test.each(outcomes)("%s by rule", async (outcome, verdict) => {
    const account = sandbox.account();
    await account.rules.add({ on: "scanText", outcome });
    const { body, headers } = await scan(essay, {}, account);
    expect([body.verdict, headers.get("X-Sandbox-Outcome")]).toEqual([verdict, `${outcome}; by=rule`]);
  });

  test.each([
    ["provider_unavailable", 503],
    ["provider_timeout", 504],
    ["rate_limited", 429],
    ["internal_error", 500],
  ])("%s by header is neither charged nor stored", async (outcome, status) => {
    const account = sandbox.account();
    const before = await getBalance(account);
    const reply = await scan(essay, { "X-Sandbox-Outcome": outcome }, account);
    expect([reply.status, reply.body.error.code]).toEqual([status, outcome]);
    expect(await getBalance(account)).toEqual(before);
    expect((await call(account, "GET", "/v1/media-scan")).body).toEqual([]);
  });
});
