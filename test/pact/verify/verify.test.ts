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
