import { describe, expect, test } from "vitest";
import { answer, ask, http, message, messages, pact, useVerifier } from "./pacts.js";

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

  test.each<[string, (string | { name: string })[], object]>([
    ["the first of two", ["no such state", "a received payment"], {}],
    ["both", ["no such state", "nor such"], {}],
    ["the first of two of a pending interaction", ["no such state", "a received payment"], { pending: true }],
  ])("a failed state, %s, does not shift the results", async (_which, states, more) => {
    const payments = ask("GET", "/v1/business/payments");
    const some = answer(200, { payments: [{}] }, { "$.payments": { match: "type", min: 1 } });
    const refused = ask("GET", "/v1/balance", undefined, { "X-Service-Key": "bad" });
    const document = pact([
      { ...http("first", balance, answer(200), ...states), ...more },
      http("payments of nobody", payments, some),
      http("refused", refused, answer(401)),
      http("payments", payments, some, "a received payment"),
    ]);
    const { passed, interactions } = await verifier.verify(toVersion4(document));
    expect(passed).toBe(false);
    expect(interactions.map(({ result }) => result)).toEqual([
      "pending" in more ? "pending" : "failed",
      "failed",
      "passed",
      "passed",
    ]);
    expect(interactions[0]?.problems).toEqual([expect.stringContaining('no provider state "no such state"')]);
    expect(interactions[1]?.states).toEqual([]);
  });

  test.each([
    ["state", "a payout.paid event", "no such state", /no provider state/],
    ["event", "a payout.pad event", "an empty wallet", /names no event/],
  ])("there is no message if its %s does not exist", async (_what, description, state, why) => {
    const { interactions } = await verifier.verify(messages([message(description, {}, {}, state)]));
    expect(interactions).toMatchObject([{ result: "failed", problems: [expect.stringMatching(why)] }]);
  });

  test.each([
    ["GET", "/_sandbox/account"],
    ["POST", "/_sandbox/clock/advance"],
    ["GET", "/docs/values"],
    ["GET", "/healthz"],
    ["GET", "/"],
    ["GET", "/start"],
    ["POST", "/"],
  ])("paths outside the service are unknown: %s %s", async (method, path) => {
    const body = method === "POST" ? { description: "a payout.paid event" } : undefined;
    expect(await verifier.verifyOne("ours", ask(method, path, body), answer(200))).toMatchObject({
      result: "failed",
      problems: [expect.stringContaining("expected 200, got 404")],
    });
  });

  test("a live key selects a live account", async () => {
    const simulate = (mode: string) =>
      ask(
        "POST",
        "/v1/business/test/simulate-payment",
        { virtual_account_id: "va_0", amount: 500 },
        { "X-Service-Key": `svc_${mode}_shop` },
      );
    const { interactions } = await verifier.verify(
      pact([
        http("live", simulate("live"), answer(403, { error: { code: "test_mode_only" } })),
        http("live, with a state", simulate("live"), answer(403), "a plan"),
        http("test", simulate("test"), answer(422)),
      ]),
    );
    expect(interactions.map(({ problems }) => problems)).toEqual([[], [], []]);
  });

  test.each([
    ["none", {}, "missing_api_key"],
    ["one that ends in _invalid", { "X-Service-Key": "svc_test_invalid" }, "invalid_api_key"],
    ["one that ends in _revoked", { "X-Service-Key": "svc_test_revoked" }, "invalid_api_key"],
    ["one that is no key", { "X-Service-Key": "oops" }, "invalid_api_key"],
  ])("a key that the consumer expects to be refused is refused: %s", async (_which, headers, code) => {
    const result = await verifier.verifyOne(
      "no access",
      ask("GET", "/v1/balance", undefined, headers),
      answer(401, { error: { code } }),
    );
    expect(result).toMatchObject({ result: "passed", problems: [] });
  });

  test("a short key is accepted if the consumer expects success", async () => {
    const request = ask("GET", "/v1/balance", undefined, { "X-Service-Key": "k" });
    expect(await verifier.verifyOne("the balance", request, answer(200))).toMatchObject({ result: "passed" });
  });

  test("a session token is replaced by the account's own, unless it is meant to be refused", async () => {
    const start = (token: string) =>
      ask(
        "POST",
        "/v1/domains/verify/start",
        { domain: "shop.example.com" },
        { Authorization: `Bearer ${token}` },
      );
    const { interactions } = await verifier.verify(
      pact([
        http("a domain again", start("abc.def.ghi"), answer(200), {
          name: "a pending domain",
          params: { domain: "shop.example.com" },
        }),
        http("expired", start("expired-token"), answer(401)),
      ]),
    );
    expect(interactions.map(({ problems }) => problems)).toEqual([[], []]);
  });
});
