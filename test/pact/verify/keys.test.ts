import { beforeAll, describe, expect, test } from "vitest";
import type { PactReport } from "../../../src/pact/verify/verify-pacts.js";
import { answer, ask, http, message, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

/** Converts a pact to version 4, which has pending interactions. */
const toVersion4 = (document: Record<string, unknown>) => ({
  ...document,
  metadata: { pactSpecification: { version: "4.0" } },
  interactions: (document.interactions as { response: { body?: unknown } }[]).map((one) => {
    const { body, ...response } = one.response;
    const content = body === undefined ? {} : { body: { contentType: "application/json", content: body } };
    return { type: "Synchronous/HTTP", ...one, response: { ...response, ...content } };
  }),
});

const balance = ask("GET", "/v1/balance");

describe("with any key of the consumer", () => {
  test("each interaction has its own account", async () => {
    const before = verifier.used.length;
    const started = http(
      "a phone code",
      ask("POST", "/v1/phone/verify/start", { phone: "08031234567" }),
      answer(201),
    );
    const { passed } = await verifier.verify(pact([started, { ...started, description: "another" }]));
    expect(passed).toBe(true);
    const keys = verifier.used.slice(before);
    expect(new Set(keys).size).toBe(2);
    for (const fresh of keys) expect(await verifier.account(fresh).inbox.list()).toHaveLength(1);
  });

  test("a failed state does not affect the next interaction", async () => {
    const { interactions } = await verifier.verify(
      pact([
        http("first", balance, answer(200), "an empty wallet", "no such state"),
        http(
          "second",
          balance,
          answer(200, { balance: 5 }, { "$.balance": { match: "regex", regex: "[1-9].*" } }),
        ),
      ]),
    );
    expect(interactions.map(({ result, states }) => [result, states])).toEqual([
      ["failed", ["an empty wallet", "no such state"]],
      ["passed", []],
    ]);
  });

  const failing: readonly [which: string, states: readonly string[], more: object][] = [
    ["the first of two", ["no such state", "a received payment"], {}],
    ["both", ["no such state", "nor such"], {}],
    ["the first of two of a pending interaction", ["no such state", "a received payment"], { pending: true }],
  ];
  const payments = ask("GET", "/v1/business/payments");
  const some = answer(200, { payments: [{}] }, { "$.payments": { match: "type", min: 1 } });
  const badKey = ask("GET", "/v1/balance", undefined, { "X-Service-Key": "bad" });
  /** Each failed state, followed by three interactions. */
  const sequences = failing.map(([, states, more]) => [
    { ...http("first", balance, answer(200), ...states), ...more },
    http("payments of nobody", payments, some),
    http("refused", badKey, answer(401)),
    http("payments", payments, some, "a received payment"),
  ]);
  let report: PactReport;
  beforeAll(async () => {
    report = await verifier.verify(toVersion4(pact(sequences.flat())));
  });

  test.each(failing.map(([which, , more], at) => [which, more, at] as const))(
    "a failed state, %s, does not shift the results",
    (_which, more, at) => {
      const interactions = report.interactions.slice(4 * at, 4 * at + 4);
      expect(report.passed).toBe(false);
      expect(interactions.map(({ result }) => result)).toEqual([
        "pending" in more ? "pending" : "failed",
        "failed",
        "passed",
        "passed",
      ]);
      expect(interactions[0]?.problems).toEqual([
        expect.stringContaining('no provider state "no such state"'),
      ]);
      expect(interactions[1]?.states).toEqual([]);
    },
  );

  const unknown = [
    { what: "state", description: "a payout.paid event", state: "no such state", why: /no provider state/ },
    { what: "event", description: "a payout.pad event", state: "an empty wallet", why: /names no event/ },
  ].map(
    ({ what, description, state, why }) =>
      [what, why, verifier.together(message(description, {}, {}, state))] as const,
  );
  test.each(unknown)("there is no message if its %s does not exist", (_what, why, result) => {
    expect(result()).toMatchObject({ result: "failed", problems: [expect.stringMatching(why)] });
  });

  const outside = [
    ["GET", "/_sandbox/account"],
    ["POST", "/_sandbox/clock/advance"],
    ["GET", "/docs/values"],
    ["GET", "/healthz"],
    ["GET", "/"],
    ["GET", "/start"],
    ["POST", "/"],
  ].map(([method = "", path = ""]) => {
    const body = method === "POST" ? { description: "a payout.paid event" } : undefined;
    const one = http(`${method} ${path}`, ask(method, path, body), answer(200));
    return [method, path, verifier.together(one)] as const;
  });
  test.each(outside)("paths outside the service are unknown: %s %s", (_method, _path, result) => {
    expect(result()).toMatchObject({
      result: "failed",
      problems: [expect.stringContaining("expected 200, got 404")],
    });
  });

  const simulate = (mode: string) =>
    ask(
      "POST",
      "/v1/business/test/simulate-payment",
      { virtual_account_id: "va_0", amount: 500 },
      { "X-Service-Key": `svc_${mode}_shop` },
    );
  const simulated = [
    http("live", simulate("live"), answer(403, { error: { code: "test_mode_only" } })),
    http("live, with a state", simulate("live"), answer(403), "a plan"),
    http("test", simulate("test"), answer(422)),
  ].map(verifier.together);
  test("a live key selects a live account", () => {
    expect(simulated.map((result) => result().problems)).toEqual([[], [], []]);
  });

  const refused = [
    { which: "none", headers: {}, code: "missing_api_key" },
    {
      which: "one that ends in _invalid",
      headers: { "X-Service-Key": "svc_test_invalid" },
      code: "invalid_api_key",
    },
    {
      which: "one that ends in _revoked",
      headers: { "X-Service-Key": "svc_test_revoked" },
      code: "invalid_api_key",
    },
    { which: "one that is no key", headers: { "X-Service-Key": "oops" }, code: "invalid_api_key" },
  ].map(({ which, headers, code }) => {
    const request = ask("GET", "/v1/balance", undefined, headers);
    return [which, verifier.together(http("no access", request, answer(401, { error: { code } })))] as const;
  });
  test.each(refused)("a key that the consumer expects to be refused is refused: %s", (_which, result) => {
    expect(result()).toMatchObject({ result: "passed", problems: [] });
  });

  const short = verifier.together(
    http("the balance", ask("GET", "/v1/balance", undefined, { "X-Service-Key": "k" }), answer(200)),
  );
  test("a short key is accepted if the consumer expects success", () => {
    expect(short()).toMatchObject({ result: "passed" });
  });

  const start = (token: string) =>
    ask(
      "POST",
      "/v1/domains/verify/start",
      { domain: "shop.example.com" },
      { Authorization: `Bearer ${token}` },
    );
  const withTokens = [
    http("a domain again", start("abc.def.ghi"), answer(200), {
      name: "a pending domain",
      params: { domain: "shop.example.com" },
    }),
    http("expired", start("expired-token"), answer(401)),
  ].map(verifier.together);
  test("a session token is replaced by the account's own, unless it is meant to be refused", () => {
    expect(withTokens.map((result) => result().problems)).toEqual([[], []]);
  });
});
