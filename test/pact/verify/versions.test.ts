import { describe, expect, test } from "vitest";
import { answer, ask, like, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const balance = ask("GET", "/v1/balance");

describe("the pact specification", () => {
  const starting = {
    request: ask("POST", "/v1/phone/verify/start", { phone: "08031234567" }),
    body: { status: "pending", id: "phv_1" },
  };

  test("version 2: one state as a string, rules by path", async () => {
    const { interactions } = await verifier.verify({
      ...pact([
        {
          description: "the payments",
          providerState: "a received payment",
          request: ask("GET", "/v1/business/payments"),
          response: {
            status: 200,
            body: { payments: [{ amount: 1 }] },
            matchingRules: {
              "$.body.payments": { min: 1, match: "type" },
              "$.body.payments[*].*": { match: "type" },
            },
          },
        },
      ]),
      metadata: { pactSpecification: { version: "2.0.0" } },
    });
    expect(interactions).toMatchObject([{ result: "passed", states: ["a received payment"], kind: "http" }]);
  });

  test("version 3: several states with parameters", async () => {
    const result = await verifier.verifyOne(
      "a payout",
      ask("POST", "/v1/business/payouts", { amount: 11_000 }),
      answer(201, { status: "requested" }, { "$.status": like }),
      { name: "a plan", params: { plan: "growth" } },
      { name: "a settled balance", params: { amount: 12_000 } },
    );
    expect(result).toMatchObject({
      result: "passed",
      states: ['a plan {"plan":"growth"}', 'a settled balance {"amount":12000}'],
    });
  });

  test("version 4: requests and messages in one file, in order", async () => {
    const json = (content: object) => ({ contentType: "application/json", encoded: false, content });
    const rules = { body: { $: { matchers: [like] } } };
    const { passed, interactions } = await verifier.verify({
      ...pact([
        {
          type: "Asynchronous/Messages",
          key: "b2",
          description: "a payment.received event",
          contents: json({ event: "payment.received", data: { amount: 5 } }),
          metadata: { contentType: "application/json" },
          matchingRules: rules,
        },
        {
          type: "Synchronous/HTTP",
          key: "a1",
          description: "a phone code",
          pending: false,
          request: { ...starting.request, body: json({ phone: "08031234567" }) },
          response: { status: 201, body: json(starting.body), matchingRules: rules },
        },
      ]),
      metadata: { pactSpecification: { version: "4.0" } },
    });
    expect([passed, interactions.map(({ kind, description }) => [kind, description])]).toEqual([
      true,
      [
        ["message", "a payment.received event"],
        ["http", "a phone code"],
      ],
    ]);
  });

  test("version 4: a synchronous message fails with the reason, and the other interactions are verified", async () => {
    const json = (content: object) => ({ contentType: "application/json", encoded: false, content });
    const { passed, interactions } = await verifier.verify({
      ...pact([
        {
          type: "Synchronous/Messages",
          description: "a question",
          request: { contents: json({ ask: "balance" }) },
          response: [{ contents: json({ balance: 1 }) }],
        },
        { type: "Synchronous/HTTP", description: "the balance", request: balance, response: { status: 200 } },
      ]),
      metadata: { pactSpecification: { version: "4.0" } },
    });
    expect([passed, interactions]).toMatchObject([
      false,
      [
        {
          description: "a question",
          kind: "message",
          result: "failed",
          problems: [expect.stringMatching(/^the service has no synchronous messages: /)],
        },
        { description: "the balance", kind: "http", result: "passed" },
      ],
    ]);
  });

  test("version 4: pending interactions may fail, with the reason", async () => {
    const { passed, interactions } = await verifier.verify({
      ...pact([
        {
          type: "Synchronous/HTTP",
          description: "later",
          pending: true,
          request: balance,
          response: { status: 204 },
        },
      ]),
      metadata: { pactSpecification: { version: "4.0" } },
    });
    expect([passed, interactions]).toMatchObject([
      true,
      [{ result: "pending", problems: ["status: expected 204, got 200"] }],
    ]);
  });
});
