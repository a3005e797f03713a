import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../src/contract/events.js";
import { answer, ask, http, like, message, messages, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const inState = (name: string): string => `\${${name}}`;
const fromState = (name: string) => ({
  type: "ProviderState",
  expression: inState(name),
  dataType: "STRING",
});
const text = (pattern: string) => ({ matchers: [{ match: "regex", regex: pattern }] });

describe("values of a provider state", () => {
  test("are filled into the body", async () => {
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

  test("are filled into the path", async () => {
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

  test("a picture is downloaded", async () => {
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
  test("every event is delivered with its signature", async () => {
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

  test.each([
    ["webhook/payout.paid", "payout.paid"],
    ["[Payout.Paid]", "payout.paid"],
    ["payout.paid-event.", "payout.paid"],
    ["a verification event", "verification"],
    ["a verification.completed event", "verification.completed"],
  ])("the event is named in the description: %s", async (description, event) => {
    const { interactions } = await verifier.verify(
      messages([{ ...message(description, { event }), matchingRules: {} }]),
    );
    expect(interactions).toMatchObject([{ result: "passed", problems: [] }]);
  });

  test.each([
    ["a payment verification failed notice", /names no event; the nearest is/],
    [
      "payout.paid, after payout.requested",
      /names payout\.requested and payout\.paid; name only the event that is sent/,
    ],
  ])("the event is not guessed: %s", async (description, why) => {
    const { interactions } = await verifier.verify(messages([message(description, {})]));
    expect(interactions).toMatchObject([{ result: "failed", problems: [expect.stringMatching(why)] }]);
  });

  test("the event is the one that the state caused", async () => {
    const paid = {
      ...message("a payout.paid event", { event: "payout.paid", data: { amount: 7_700, status: "paid" } }),
      providerStates: [{ name: "a paid payout", params: { amount: 7_700 } }],
      matchingRules: {},
    };
    expect((await verifier.verify(messages([paid]))).interactions).toMatchObject([
      { result: "passed", problems: [], states: ['a paid payout {"amount":7700}'] },
    ]);
  });

  test.each([
    ["a payout.rejected event", "a paid payout", 'a payout.rejected event; name "a rejected payout"'],
    ["a payment.settled event", "a received payment", 'a payment.settled event; name "a settled balance"'],
    ["a payment.failed event", "a received payment", 'a payment.failed event; name "a failed payment"'],
    ["a refund.rejected event", "a paid payout", 'a refund.rejected event; name "a rejected refund"'],
    [
      "a payment.issue_resolved event",
      "a payment with an issue",
      'a payment.issue_resolved event; name "a payment with a resolved issue"',
    ],
    ["a payout.paid event", "a plan", 'a payout.paid event; name "a paid payout"'],
    [
      "a verification event",
      "an open identity question",
      'a verification event; name "an answered identity question" or "a failed identity question" or "an expired identity question"',
    ],
    [
      "a verification.completed event",
      "a pending address check",
      'a verification.completed event; name "a verified address" or "an address in review"',
    ],
  ])("%s given %s fails with the state that brings it about", async (description, state, reason) => {
    const { passed, interactions } = await verifier.verify(messages([message(description, {}, {}, state)]));
    expect(passed).toBe(false);
    expect(interactions[0]?.problems).toEqual([`the states of the message do not bring about ${reason}`]);
  });

  test("the event may be brought about by any of several states", async () => {
    const one = message("a payout.paid event", { data: { status: "paid" } }, {}, "a paid payout", "a plan");
    const { interactions } = await verifier.verify(messages([{ ...one, matchingRules: {} }]));
    expect(interactions).toMatchObject([{ result: "passed", problems: [] }]);
  });

  test.each(["x-service-signature", "X-Service-Signature"])(
    "the signature header may be spelled %s",
    async (name) => {
      const one = {
        ...message("a payout.paid event", { event: "payout.paid" }, { [name]: "0" }),
        matchingRules: { body: {}, metadata: { [name]: text("[0-9a-f]{64}") } },
      };
      expect((await verifier.verify(messages([one]))).passed).toBe(true);
    },
  );
});
