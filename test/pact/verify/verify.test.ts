import { expect, test } from "vitest";
import { readPacts } from "../../../src/pact/verify/pact-file.js";
import { answer, ask, http, key, pact, pactFile, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const balance = ask("GET", "/v1/balance");

test("several pacts are verified in order, each under its consumer", async () => {
  const one = http("the balance", balance, answer(200));
  const { interactions } = await verifier.verify(pact([one], "shop"), pact([one], "signup"));
  expect(interactions.map(({ consumer, result }) => [consumer, result])).toEqual([
    ["shop", "passed"],
    ["signup", "passed"],
  ]);
});

test("a pact without interactions does not pass, also beside another pact", async () => {
  const untried = [expect.stringMatching(/pact-\d+\.json has no interaction$/)];
  expect(await verifier.verify(pact([]))).toEqual({
    passed: false,
    interactions: [],
    warnings: [],
    failures: [],
    untried,
  });
  expect(await verifier.verify(pact([]), pact([http("the balance", balance, answer(200))]))).toMatchObject({
    passed: false,
    interactions: [{ result: "passed" }],
    failures: [],
    untried,
  });
});

test.each([
  ["an interaction", { interactions: [null] }],
  ["a response", { interactions: [{ request: {}, response: [] }] }],
  [
    "an answer to a message",
    { interactions: [{ type: "Synchronous/Messages", request: {}, response: [5] }] },
  ],
  ["a state", { interactions: [{ providerStates: [null], request: {}, response: {} }] }],
  ["a message", { interactions: [], messages: [5] }],
  ["the messages", { interactions: [], messages: {} }],
])("a file in which %s is malformed is not a pact", async (_what, wrong) => {
  await expect(verifier.verify({ ...pact([]), ...wrong })).rejects.toThrow(/pact-\d+\.json is not a pact: /);
});

test("null parameters and a byte order mark are accepted", async () => {
  const document = pact([
    http("the balance", balance, answer(200), { name: "an empty wallet", params: null }),
  ]);
  expect(await verifier.verify(document)).toMatchObject({ passed: true });
  const [file] = await readPacts([pactFile(`\uFEFF${JSON.stringify(document)}`)], {});
  expect(file?.interactions).toHaveLength(1);
});

test("filters in the environment are ignored", async () => {
  process.env.PACT_DESCRIPTION = "nothing like this";
  try {
    const { interactions } = await verifier.verify(
      pact([http("the balance", ask("GET", "/v1/balance", undefined, key), answer(200))]),
    );
    expect(interactions).toMatchObject([{ description: "the balance", result: "passed" }]);
  } finally {
    delete process.env.PACT_DESCRIPTION;
  }
});

test("a creation that answers 201 for an expected 200 names the assumption, and a text that is no date is said without the parser's error", async () => {
  const started = http(
    "a code",
    ask("POST", "/v1/phone/verify/start", { phone: "08031234567" }),
    answer(200),
  );
  const date = { match: "date", date: "yyyy-MM-dd" };
  const dated = http("a day", balance, answer(200, { currency: "2026-01-31" }, { "$.currency": date }));
  const { interactions } = await verifier.verify(pact([started, dated]));
  expect(interactions.map(({ problems }) => problems)).toEqual([
    [
      "status: expected 200, got 201 (hint: the interface does not say which of them creation answers; --assume http.created=ok answers 200)",
    ],
    [expect.stringMatching(/^body \$\.currency: expected a date of the form 'yyyy-MM-dd', got 'NGN'(?:;|$)/)],
  ]);
});

test("a class or a list of statuses is named as such, and an entry that a list lacks by the fields that differ", async () => {
  const version4 = (description: string, request: object, response: object) => ({
    type: "Synchronous/HTTP",
    description,
    providerStates: [{ name: "a received payment" }],
    request,
    response,
  });
  const status = (accepted: unknown) => ({
    status: 400,
    matchingRules: { status: { combine: "AND", matchers: [{ match: "statusCode", status: accepted }] } },
  });
  const method = { "$.method": { combine: "AND", matchers: [{ match: "equality" }] } };
  const variants = [0, 1].map((index) => ({ index, rules: method, generators: {} }));
  const content = { payments: [{ method: "cheque" }, { methud: "transfer" }] };
  const payments = {
    status: 200,
    body: { contentType: "application/json", encoded: false, content },
    matchingRules: {
      body: { "$.payments": { combine: "AND", matchers: [{ match: "arrayContains", variants }] } },
    },
  };
  const { interactions } = await verifier.verify({
    ...pact([
      version4("a class", balance, status("clientError")),
      version4("a list", balance, status([400, 404])),
      version4("the payments", ask("GET", "/v1/business/payments"), payments),
    ]),
    metadata: { pactSpecification: { version: "4.0" } },
  });
  expect(interactions.map(({ problems }) => problems)).toEqual([
    ["status: expected a client error (400–499), got 200"],
    ["status: expected one of 400, 404, got 200"],
    [
      'body $.payments: no entry is like {"method":"cheque"}: entry 0, the nearest, has method "transfer"',
      expect.stringMatching(
        /^body \$\.payments: no entry is like \{"methud":"transfer"\}: entry 0, the nearest, has no methud; the contract of listPayments has .*; methud may mean method$/,
      ),
    ],
  ]);
});
