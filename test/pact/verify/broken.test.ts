import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../src/service/webhooks/events.js";
import { answer, ask, http, key, like, message, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const balance = ask("GET", "/v1/balance");
const start = ask("POST", "/v1/phone/verify/start", { phone: "08031234567" });
const payments = ask("GET", "/v1/business/payments");

/** Titles, interactions, and the expected problem or a pattern of it. */
const broken: readonly [string, ReturnType<typeof http>, string | RegExp][] = [
  [
    "another type",
    http("wrong type", balance, answer(200, { balance: "12.50" }, { "$.balance": like })),
    /^body \$\.balance: expected the type of '12\.50' \(String\), got 1000000 \(Integer\); the contract of getBalance has balance as number$/,
  ],
  [
    "a field that does not exist, with the nearest one",
    http("missing field", balance, answer(200, { balanse: 1 }, { $: like })),
    /^body \$: there is no balanse; the contract of getBalance has .*balance.* there; balanse may mean balance$/,
  ],
  [
    "a field of an entry, two levels down",
    http(
      "missing inner field",
      payments,
      answer(
        200,
        { payments: [{ amount: 1, settled: true }] },
        { "$.payments": like, "$.payments[*]": like },
      ),
      "a received payment",
    ),
    /^body \$\.payments\[0\]: there is no settled; the contract of listPayments has id, method, .* there$/,
  ],
  [
    "an unknown state, with the nearest",
    http("unknown state", balance, answer(200), "a setled balance"),
    'there is no provider state "a setled balance"; the nearest are "a settled balance", "a wallet balance", "a held payment".',
  ],
  [
    "an unknown state in words of its own, with those that it may mean",
    http("foreign state", balance, answer(200), "Adaeze has a BVN"),
    /^there is no provider state "Adaeze has a BVN"; these may fit: "a registered person"/,
  ],
  [
    "a parameter that the state does not have",
    http("unknown parameter", balance, answer(200), { name: "a held payment", params: { amont: 5 } }),
    /^a held payment: amont .* \(its parameters are amount\)\.$/,
  ],
  [
    "another status, with the error of the service",
    http(
      "wrong status",
      ask("POST", "/v1/business/payouts", { amount: 5_000_000 }),
      answer(201),
      "a settled balance",
    ),
    /^status: expected 201, got 422; the service says insufficient_available_balance: /,
  ],
  [
    "a value outside the field's values",
    http(
      "wrong enum",
      start,
      answer(201, { status: "sent" }, { "$.status": { match: "regex", regex: "sent|queued" } }),
    ),
    /^body \$\.status: expected a match of 'sent\|queued', got 'pending'; the contract of startPhoneVerification has status as one of pending, .*\(hint: a regex must match the whole value/,
  ],
  [
    "a field that the contract has only in another reply",
    http(
      "extra required field",
      start,
      answer(201, { id: "ver_1", status: "pending", verified: true }, { $: like }),
    ),
    /^body \$: there is no verified; the contract of startPhoneVerification has id, /,
  ],
  [
    "a decimal that may be whole",
    http("decimal", balance, answer(200, { balance: 12.5 }, { "$.balance": { match: "decimal" } })),
    /^body \$\.balance: Expected 1000000 \(Integer\) to be a decimal number; .*\(hint: the matcher decimal refuses whole numbers such as 12: use number\)$/,
  ],
  [
    "a list that the account does not have yet",
    http(
      "empty list",
      payments,
      answer(200, { payments: [{ amount: 1 }] }, { "$.payments": { match: "type", min: 1 } }),
    ),
    /^body \$\.payments: Expected \[\] \(size 0\) to have minimum size of 1.*\(hint: eachLike needs at least one entry: name a state that creates one\)$/,
  ],
  [
    "a value compared exactly",
    http("exact value", balance, answer(200, { balance: 999 })),
    /^body \$\.balance: expected 999 \(Integer\), got 1000000 \(Integer\); .*\(hint: this value is compared exactly: use like\(\) if only its type matters\)$/,
  ],
  [
    "another content type",
    http("content type", balance, {
      status: 200,
      headers: { "Content-Type": "application/xml" },
      body: "<balance/>",
    }),
    /content type: expected application\/xml, got application\/json/,
  ],
  [
    "a missing header",
    http("missing header", balance, { status: 200, headers: { "X-Request-Cost": "0" } }),
    "header X-Request-Cost: expected but missing",
  ],
  [
    "a key that is expected to be refused",
    http(
      "refused key",
      ask("GET", "/v1/balance", undefined, { "X-Service-Key": "svc_test_wrong" }),
      answer(401),
    ),
    "status: expected 401, got 200 (hint: every key is accepted unless it ends in _invalid or _revoked)",
  ],
  [
    "an unknown path",
    http("unknown path", ask("GET", "/v1/balances"), answer(200)),
    "status: expected 200, got 404; the service has no GET /v1/balances; the nearest is GET /v1/balance",
  ],
  [
    "a path without the version",
    http("no version", ask("GET", "/balance"), answer(200)),
    "status: expected 200, got 404; the service has no GET /balance; the right path is /v1/balance",
  ],
  [
    "a path with an id and without the version",
    http("no version, id", ask("GET", "/audits/aud_1?full=1"), answer(200), "a ready audit"),
    "status: expected 200, got 404; the service has no GET /audits/aud_1; the right path is /v1/audits/aud_1",
  ],
  [
    "an invalid request",
    http("wrong request", ask("POST", "/v1/phone/verify/start", { phone: 12 }), answer(201)),
    /^status: expected 201, got 400; the service says validation_error: .*phone/,
  ],
];

describe("a pact fails with the reason if it has", () => {
  const cases = broken.map(
    ([title, interaction, expected]) =>
      [title, interaction.description, expected, verifier.together(interaction)] as const,
  );
  test.each(cases)("%s", (_title, description, expected, result) => {
    expect(result()).toMatchObject({ description, result: "failed" });
    expect(result().problems).toContainEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });
});

test("one failed interaction fails the verification", async () => {
  const { passed, interactions } = await verifier.verify(
    pact([http("met", balance, answer(200)), http("broken", balance, answer(204))]),
  );
  expect(passed).toBe(false);
  expect(interactions.map(({ result }) => result)).toEqual(["passed", "failed"]);
});

const signed = { "X-Service-Signature": "a" };

const wronglySigned = verifier.together({
  ...message("a payout.paid event", { event: "payout.paid" }, signed),
  matchingRules: {
    body: {},
    metadata: { "X-Service-Signature": { matchers: [{ match: "regex", regex: "sha256=[0-9a-f]{64}" }] } },
  },
});
test("a message whose signature pattern is wrong fails with the name of the header", () => {
  expect(wronglySigned().result).toBe("failed");
  expect(wronglySigned().problems).toEqual([
    expect.stringMatching(
      /^metadata X-Service-Signature: expected a match of 'sha256=\[0-9a-f\]\{64\}', got '[0-9a-f]{64}' \(hint: a regex must match the whole/,
    ),
  ]);
});

const misspelt = verifier.together(
  message("a payout.paid event", { event: "payout.paid", data: { ammount: 5 } }),
);
test("an unknown field of a message is reported with the fields of the event", () => {
  expect(misspelt().problems).toEqual([
    expect.stringMatching(
      /^body \$\.data: there is no ammount; the contract of payout\.paid has .*; ammount may mean amount$/,
    ),
  ]);
});

const unnamed = verifier.together(message("money was paid out", { event: "x" }));
test("a message whose description names no event is reported with all events", () => {
  const [problem = ""] = unnamed().problems;
  expect(problem).toMatch(/^the description "money was paid out" names no event; the nearest is /);
  for (const kind of eventKinds) expect(problem).toContain(kind);
});

const twoProblems = verifier.together(
  http(
    "two problems",
    balance,
    answer(404, { balance: "12", currency: 4 }, { "$.balance": like, "$.currency": like }),
  ),
);
test("every difference is reported", () => {
  expect(twoProblems().problems).toEqual([
    expect.stringMatching(/^status: expected 404, got 200$/),
    expect.stringMatching(/^body \$\.balance: /),
    expect.stringMatching(/^body \$\.currency: /),
  ]);
});

test("interactions with the same description have their own problems", async () => {
  const wrong = (status: number) => http("the balance", balance, answer(status));
  const { interactions, warnings } = await verifier.verify(pact([wrong(201), wrong(200), wrong(204)]));
  expect(interactions.map(({ problems }) => problems)).toEqual([
    ["status: expected 201, got 200"],
    [],
    ["status: expected 204, got 200"],
  ]);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toMatch(
    /"the balance" occurs twice; descriptions must be unique among interactions with the same states$/,
  );
});

const endingAlike = ["paid - the balance", "the balance"].map((name, index) =>
  verifier.together(http(name, ask("GET", "/v1/balance", undefined, key), answer(201 + index))),
);
test("interactions whose descriptions end alike have their own problems", () => {
  expect(endingAlike.map((result) => result().problems)).toEqual([
    ["status: expected 201, got 200"],
    ["status: expected 202, got 200"],
  ]);
});
