import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../src/service/webhooks/events.js";
import { answer, ask, http, like, message, pact, useVerifier } from "./pacts.js";

const verifier = useVerifier();

const inState = (name: string): string => `\${${name}}`;
const fromState = (name: string) => ({
  type: "ProviderState",
  expression: inState(name),
  dataType: "STRING",
});
const text = (pattern: string) => ({ matchers: [{ match: "regex", regex: pattern }] });

describe("values of a provider state", () => {
  const inBody = verifier.together(
    http(
      "the right code",
      {
        ...ask("POST", "/v1/phone/verify/check", { id: "phv_0", code: "000000" }),
        generators: { body: { "$.id": fromState("id"), "$.code": fromState("code") } },
      },
      answer(200, { verified: true }),
      "a pending phone verification",
    ),
  );
  test("are filled into the body", () => {
    expect(inBody()).toMatchObject({ result: "passed", problems: [] });
  });

  const inPath = verifier.together(
    http(
      "an audit",
      {
        ...ask("GET", "/v1/audits/aud_0"),
        matchingRules: { path: text(".*") },
        generators: { path: { ...fromState("id"), expression: `/v1/audits/${inState("id")}` } },
      },
      answer(200, { status: "ready" }),
      "a ready audit",
    ),
  );
  test("are filled into the path", () => {
    expect(inPath()).toMatchObject({ result: "passed", problems: [] });
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

  const colours = { primary_color: "#0F766E", secondary_color: "#134E4A" };
  const logo = { company_name: "Ada", style: "badge", size: 256, ...colours };
  const picture = verifier.together(
    http("a logo", ask("POST", "/v1/tools/generate-logo", logo), {
      status: 200,
      headers: { "Content-Type": "image/svg+xml" },
    }),
  );
  test("a picture is downloaded", () => {
    expect(picture()).toMatchObject({ result: "passed", problems: [] });
  });
});

describe("messages", () => {
  const events = eventKinds.map((kind) =>
    verifier.together({
      ...message(`a ${kind} event`, { event: kind, data: {} }, { "X-Service-Signature": "f".repeat(64) }),
      matchingRules: {
        body: { "$.data": { matchers: [like] } },
        metadata: { "X-Service-Signature": text("[0-9a-f]{64}") },
      },
    }),
  );
  test("every event is delivered with its signature", () => {
    expect(events.map((result) => result())).toMatchObject(
      eventKinds.map((kind) => ({
        description: `a ${kind} event`,
        result: "passed",
        problems: [],
        kind: "message",
      })),
    );
  });

  const named = [
    ["webhook/payout.paid", "payout.paid"],
    ["[Payout.Paid]", "payout.paid"],
    ["payout.paid-event.", "payout.paid"],
    ["a verification event", "verification"],
    ["a verification.completed event", "verification.completed"],
  ].map(
    ([description = "", event]) =>
      [description, verifier.together({ ...message(description, { event }), matchingRules: {} })] as const,
  );
  test.each(named)("the event is named in the description: %s", (_description, result) => {
    expect(result()).toMatchObject({ result: "passed", problems: [] });
  });

  const unnamed = [
    { description: "a payment verification failed notice", why: /names no event; the nearest is/ },
    {
      description: "payout.paid, after payout.requested",
      why: /names payout\.requested and payout\.paid; name only the event that is sent/,
    },
  ].map(({ description, why }) => [description, why, verifier.together(message(description, {}))] as const);
  test.each(unnamed)("the event is not guessed: %s", (_description, why, result) => {
    expect(result()).toMatchObject({ result: "failed", problems: [expect.stringMatching(why)] });
  });

  const paid = verifier.together({
    ...message("a payout.paid event", { event: "payout.paid", data: { amount: 7_700, status: "paid" } }),
    providerStates: [{ name: "a paid payout", params: { amount: 7_700 } }],
    matchingRules: {},
  });
  test("the event is the one that the state caused", () => {
    expect(paid()).toMatchObject({
      result: "passed",
      problems: [],
      states: ['a paid payout {"amount":7700}'],
    });
  });

  const notCaused = [
    ["a payout.rejected event", "a paid payout", 'a payout.rejected event; name "a rejected payout"'],
    ["a payment.settled event", "a received payment", 'a payment.settled event; name "a settled balance"'],
    ["a payment.failed event", "a received payment", 'a payment.failed event; name "a failed payment"'],
    ["a refund.rejected event", "a paid payout", 'a refund.rejected event; name "a rejected refund"'],
    [
      "a payment.issue_resolved event",
      "a payment with an issue",
      'a payment.issue_resolved event; name "a payment with a resolved issue"',
    ],
    ["a payout.paid event", "a plan", 'a payout.paid event; name "a paid-out payment" or "a paid payout"'],
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
  ].map(
    ([description = "", state = "", reason]) =>
      [description, state, reason, verifier.together(message(description, {}, {}, state))] as const,
  );
  test.each(notCaused)(
    "%s given %s fails with the state that brings it about",
    (_description, _state, reason, result) => {
      expect(result()).toMatchObject({
        result: "failed",
        problems: [`the states of the message do not bring about ${reason}`],
      });
    },
  );

  const ofSeveral = verifier.together({
    ...message("a payout.paid event", { data: { status: "paid" } }, {}, "a paid payout", "a plan"),
    matchingRules: {},
  });
  test("the event may be brought about by any of several states", () => {
    expect(ofSeveral()).toMatchObject({ result: "passed", problems: [] });
  });

  const spellings = ["x-service-signature", "X-Service-Signature"].map((name) => {
    const result = verifier.together({
      ...message("a payout.paid event", { event: "payout.paid" }, { [name]: "0" }),
      matchingRules: { body: {}, metadata: { [name]: text("[0-9a-f]{64}") } },
    });
    return [name, result] as const;
  });
  test.each(spellings)("the signature header may be spelled %s", (_name, result) => {
    expect(result()).toMatchObject({ result: "passed", problems: [] });
  });
});

describe("a pattern", () => {
  const pattern = { match: "regex", regex: "[a-z]+" };
  const withoutReference = ask("POST", "/v1/phone/verify/start", { phone: "+2348031234567" });

  test("is not met by null, and the problem names place, pattern and value", async () => {
    const reply = answer(201, { reference: "ada" }, { "$.reference": pattern });
    const result = await verifier.verifyOne("no reference", withoutReference, reply);
    expect(result).toMatchObject({
      result: "failed",
      problems: ["body $.reference: expected a text that matches /[a-z]+/, got null"],
    });
  });
});
