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
