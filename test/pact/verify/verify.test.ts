import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../src/contract/events.js";
import { answer, ask, http, key, like, message, messages, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const balance = ask("GET", "/v1/balance");
/** As consumers refer to a value of a state. */
const inState = (name: string): string => `\${${name}}`;
const fromState = (name: string) => ({
  type: "ProviderState",
  expression: inState(name),
  dataType: "STRING",
});
const text = (pattern: string) => ({ matchers: [{ match: "regex", regex: pattern }] });

describe("every version of the specification", () => {
  const starting = {
    request: ask("POST", "/v1/phone/verify/start", { phone: "08031234567" }),
    body: { status: "pending", id: "phv_1" },
  };

  test("version 2: one state as a text, rules by path", async () => {
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

  test("version 3: several states, with parameters", async () => {
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

  test("version 4: requests and messages in one file, in its order", async () => {
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

  test("version 4: what is marked as pending may fail, and it is said why it did", async () => {
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

describe("values of a state", () => {
  test("stand in the body", async () => {
    const result = await verifier.verifyOne(
      "the right code",
      {
        ...ask("POST", "/v1/phone/verify/check", { id: "phv_0", code: "000000" }),
        generators: { body: { "$.id": fromState("id"), "$.code": fromState("code") } },
      },
      answer(200, { verified: true }),
      "a pending phone verification",
    );
    expect(result).toMatchObject({ result: "passed", problems: [] });
  });

  test("stand in the path", async () => {
    const result = await verifier.verifyOne(
      "an audit",
      {
        ...ask("GET", "/v1/audits/aud_0"),
        matchingRules: { path: text(".*") },
        generators: { path: { ...fromState("id"), expression: `/v1/audits/${inState("id")}` } },
      },
      answer(200, { status: "ready" }),
      "a ready audit",
    );
    expect(result).toMatchObject({ result: "passed", problems: [] });
  });
});

describe("whatever key the consumer sends", () => {
  test("each interaction plays on an account of its own", async () => {
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

  test("a state that fails leaves nothing to the next interaction", async () => {
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

  test("a live key is a live account", async () => {
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
  ])("a key that is meant to be refused is: %s", async (_which, headers, code) => {
    const result = await verifier.verifyOne(
      "no access",
      ask("GET", "/v1/balance", undefined, headers),
      answer(401, { error: { code } }),
    );
    expect(result).toMatchObject({ result: "passed", problems: [] });
  });

  test("a short key is taken where the consumer expects success", async () => {
    const request = ask("GET", "/v1/balance", undefined, { "X-Service-Key": "k" });
    expect(await verifier.verifyOne("the balance", request, answer(200))).toMatchObject({ result: "passed" });
  });

  test("a session token is the account's own, and one meant to fail fails", async () => {
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

describe("bodies that are not JSON", () => {
  test("a file is uploaded", async () => {
    const boundary = "pact-boundary";
    const photo = readFileSync("fixtures/files/selfie.jpg", "latin1");
    const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="me.jpg"\r\nContent-Type: image/jpeg\r\n\r\n${photo}\r\n--${boundary}--\r\n`;
    const result = await verifier.verify({
      ...pact([
        {
          type: "Synchronous/HTTP",
          description: "a selfie",
          request: {
            method: "POST",
            path: "/v1/verify/liveness",
            headers: {
              "X-Service-Key": ["svc_test_a"],
              "Content-Type": [`multipart/form-data; boundary=${boundary}`],
            },
            body: {
              contentType: `multipart/form-data; boundary=${boundary}`,
              encoded: "base64",
              content: Buffer.from(form, "latin1").toString("base64"),
            },
          },
          response: { status: 200 },
        },
      ]),
      metadata: { pactSpecification: { version: "4.0" } },
    });
    expect(result.interactions).toMatchObject([{ result: "passed", problems: [] }]);
  });

  test("a picture comes back", async () => {
    const colours = { primary_color: "#0F766E", secondary_color: "#134E4A" };
    const logo = { company_name: "Ada", style: "badge", size: 256, ...colours };
    const { interactions } = await verifier.verify(
      pact([
        http("a logo", ask("POST", "/v1/tools/generate-logo", logo), {
          status: 200,
          headers: { "Content-Type": "image/svg+xml" },
        }),
      ]),
    );
    expect(interactions).toMatchObject([{ result: "passed", problems: [] }]);
  });
});

describe("messages", () => {
  test("each event is delivered, with its signature", async () => {
    const events = eventKinds.map((kind) => ({
      ...message(`a ${kind} event`, { event: kind, data: {} }, { "X-Service-Signature": "f".repeat(64) }),
      matchingRules: {
        body: { "$.data": { matchers: [like] } },
        metadata: { "X-Service-Signature": text("[0-9a-f]{64}") },
      },
    }));
    const { interactions } = await verifier.verify(messages(events));
    expect(interactions).toMatchObject(
      eventKinds.map((kind) => ({
        description: `a ${kind} event`,
        result: "passed",
        problems: [],
        kind: "message",
      })),
    );
  });

  test("the event is the one that the state brought about", async () => {
    const paid = {
      ...message("a payout.paid event", { event: "payout.paid", data: { amount: 7_700, status: "paid" } }),
      providerStates: [{ name: "a paid payout", params: { amount: 7_700 } }],
      matchingRules: {},
    };
    expect((await verifier.verify(messages([paid]))).interactions).toMatchObject([
      { result: "passed", problems: [], states: ['a paid payout {"amount":7700}'] },
    ]);
  });

  test.each(["x-service-signature", "X-Service-Signature"])("the header may be written %s", async (name) => {
    const one = {
      ...message("a payout.paid event", { event: "payout.paid" }, { [name]: "0" }),
      matchingRules: { body: {}, metadata: { [name]: text("[0-9a-f]{64}") } },
    };
    expect((await verifier.verify(messages([one]))).passed).toBe(true);
  });
});

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
