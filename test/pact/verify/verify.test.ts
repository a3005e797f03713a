import { expect, test } from "vitest";
import { answer, ask, http, key, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const balance = ask("GET", "/v1/balance");

test("several pacts are verified one after the other, each under its consumer", async () => {
  const one = http("the balance", balance, answer(200));
  const { interactions } = await verifier.verify(pact([one], "shop"), pact([one], "signup"));
  expect(interactions.map(({ consumer, result }) => [consumer, result])).toEqual([
    ["shop", "passed"],
    ["signup", "passed"],
  ]);
});

test("no interaction at all is a failure", async () => {
  expect(await verifier.verify(pact([]))).toEqual({
    passed: false,
    interactions: [],
    warnings: [],
    failures: [],
  });
});

test("filters in the environment leave nothing out unsaid", async () => {
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
