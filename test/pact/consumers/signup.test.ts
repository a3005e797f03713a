/** The consumer tests of the signup flow: phone codes, identity and address checks. */
import { MatchersV3 } from "@pact-foundation/pact";
import { describe, expect, test } from "vitest";
import {
  type Call,
  Consumer,
  formOf,
  formType,
  fromState,
  idLike,
  key,
  pathFromState,
  refusal,
  type State,
  timestamp,
} from "./consumer.js";
import { type Refused, Signup, type SignupEvent } from "./signup.js";

const { boolean, number, regex, string } = MatchersV3;

const consumer = new Consumer("signup");

/** Runs the signup against the expected answer. */
const play = <T>(call: Call, act: (signup: Signup) => Promise<T>): Promise<T | undefined> =>
  consumer.play(call, ({ url }) => act(new Signup(url, key)));

/** Resolves to the error code that the signup gets; Pact does not write an interaction whose test rejects. */
const refused = (call: Call, act: (signup: Signup) => Promise<unknown>): Promise<string | undefined> =>
  play(call, (signup) =>
    act(signup).then(
      () => "nothing",
      (error: Refused) => error.message,
    ),
  );

describe("the phone", () => {
  const start = (phone: string) => ({
    method: "POST",
    path: "/v1/phone/verify/start",
    body: { phone, reference: "signup-1" },
  });
  const check = {
    method: "POST",
    path: "/v1/phone/verify/check",
    body: { id: fromState("id", "phv_0"), code: fromState("code", "123456") },
  };
  const checked = { id: idLike("phv_"), phone: regex("\\+234\\d{10}", "+2348031234567") };

  test("a code is sent, to the number in its international form", async () => {
    const id = await play(
      {
        description: "a phone code",
        request: start("08031234567"),
        reply: {
          status: 201,
          body: {
            id: idLike("phv_"),
            phone: "+2348031234567",
            status: "pending",
            reference: "signup-1",
            expires_at: timestamp,
          },
        },
      },
      (signup) => signup.sendCode("08031234567"),
    );
    expect(id).toMatch(/^phv_/);
  });

  test("an invalid number is refused", async () => {
    const code = await refused(
      {
        description: "a phone code to no number",
        request: start("0803"),
        reply: { status: 400, body: refusal("invalid_phone", "invalid_request_error") },
      },
      (signup) => signup.sendCode("0803"),
    );
    expect(code).toBe("invalid_phone");
  });

  test("no code is sent from an empty wallet", async () => {
    const code = await refused(
      {
        description: "a phone code without money",
        given: [["an empty wallet"]],
        request: start("08031234567"),
        reply: { status: 402, body: refusal("insufficient_balance", "billing_error") },
      },
      (signup) => signup.sendCode("08031234567"),
    );
    expect(code).toBe("insufficient_balance");
  });

  test("the right code verifies the number", async () => {
    const isRight = await play(
      {
        description: "the right code",
        given: [["a pending phone verification"]],
        request: check,
        reply: { status: 200, body: { ...checked, status: "verified", verified: true } },
      },
      (signup) => signup.isRightCode("phv_0", "123456"),
    );
    expect(isRight).toBe(true);
  });

  test("after a wrong code another may be tried", async () => {
    const isRight = await play(
      {
        description: "a wrong code",
        given: [["a pending phone verification"]],
        request: { ...check, body: { id: fromState("id", "phv_0"), code: "000000" } },
        reply: { status: 200, body: { ...checked, status: "pending", verified: false } },
      },
      (signup) => signup.isRightCode("phv_0", "000000"),
    );
    expect(isRight).toBe(false);
  });

  test.each<[string, string, string]>([
    ["a locked phone verification", "max_attempts_reached", "a code for a locked phone"],
    ["an expired phone verification", "expired", "a code that came too late"],
  ])("%s is not verified by the right code", async (state, status, description) => {
    const isRight = await play(
      {
        description,
        given: [[state]],
        request: check,
        reply: { status: 200, body: { ...checked, status, verified: false } },
      },
      (signup) => signup.isRightCode("phv_0", "123456"),
    );
    expect(isRight).toBe(false);
  });
});

describe("the person", () => {
  const ngozi: State = [
    "a registered person",
    { first_name: "Ngozi", last_name: "Okafor", bvn: "22334455667", nin: "11223344556" },
  ];
  const asked = (first_name: string) => ({
    method: "POST",
    path: "/v1/verify/bvn",
    body: { bvn: "22334455667", phone_number: "+2348031234567", first_name, last_name: "Okafor" },
  });
  const bvn = { id: idLike("ver_"), type: "bvn" };

  test("the BVN belongs to the person", async () => {
    const isTheirs = await play(
      {
        description: "a BVN and its person",
        given: [ngozi],
        request: asked("Ngozi"),
        reply: {
          status: 200,
          body: {
            ...bvn,
            status: "success",
            match: boolean(true),
            confidence_score: number(100),
            data: { bvn: "22334455667", date_of_birth: regex("\\d{4}-\\d{2}-\\d{2}", "1990-01-31") },
          },
        },
      },
      (signup) => signup.hasBvn("22334455667", "Ngozi", "Okafor"),
    );
    expect(isTheirs).toBe(true);
  });

  test("a BVN may be unknown", async () => {
    const isTheirs = await play(
      {
        description: "a BVN that nobody has",
        given: [["an outcome", { operation: "verifyBvn", outcome: "not_found" }]],
        request: asked("Ngozi"),
        reply: { status: 200, body: { ...bvn, status: "not_found", match: false, data: null } },
      },
      (signup) => signup.hasBvn("22334455667", "Ngozi", "Okafor"),
    );
    expect(isTheirs).toBeNull();
  });

  test("the bank may not answer", async () => {
    const code = await refused(
      {
        description: "a BVN when the bank does not answer",
        given: [["an outcome", { operation: "verifyBvn", outcome: "provider_unavailable" }]],
        request: asked("Ngozi"),
        reply: { status: 503, body: refusal("provider_unavailable", "provider_error") },
      },
      (signup) => signup.hasBvn("22334455667", "Ngozi", "Okafor"),
    );
    expect(code).toBe("provider_unavailable");
  });

  test("the NIN belongs to the person", async () => {
    const isTheirs = await play(
      {
        description: "a NIN and its person",
        given: [ngozi],
        request: {
          method: "POST",
          path: "/v1/verify/nin",
          body: { nin: "11223344556", first_name: "Ngozi", last_name: "Okafor" },
        },
        reply: { status: 200, body: { type: "nin", status: "success", match: true } },
      },
      (signup) => signup.hasNin("11223344556", "Ngozi", "Okafor"),
    );
    expect(isTheirs).toBe(true);
  });

  const card = { filename: "id-card.png", contentType: "image/png" };
  const selfie = { filename: "selfie.jpg", contentType: "image/jpeg" };

  test("the document has the name", async () => {
    const form = formOf({ field: "file", ...card });
    const name = await play(
      {
        description: "a photo of a document",
        request: { method: "POST", path: "/v1/verify/document", form },
        reply: {
          status: 200,
          body: {
            type: "document",
            status: "success",
            match: null,
            data: { full_name: string("Ngozi Okafor") },
          },
        },
      },
      (signup) => signup.nameOnDocument(form, formType),
    );
    expect(name).toBe("Ngozi Okafor");
  });

  test("the selfie is live", async () => {
    const form = formOf({ field: "file", ...selfie });
    const isLive = await play(
      {
        description: "a selfie",
        request: { method: "POST", path: "/v1/verify/liveness", form },
        reply: { status: 200, body: { type: "liveness", confidence_score: number(92), data: null } },
      },
      (signup) => signup.isLive(form, formType),
    );
    expect(isLive).toBe(true);
  });

  test("the selfie shows the face of the document", async () => {
    const form = formOf({ field: "selfie", ...selfie }, { field: "id_photo", ...card });
    const isSame = await play(
      {
        description: "a selfie and a document",
        request: { method: "POST", path: "/v1/verify/face-match", form },
        reply: { status: 200, body: { type: "face_match", match: true, confidence_score: number(92) } },
      },
      (signup) => signup.isSameFace(form, formType),
    );
    expect(isSame).toBe(true);
  });
});

describe("the address", () => {
  const checks = { address_exists: { status: regex("pass|partial|fail", "pass"), points: number(40) } };

  test("the person gets a page to open at home", async () => {
    const page = await play(
      {
        description: "an address check",
        request: {
          method: "POST",
          path: "/v1/verify/address",
          body: {
            address: "12 Allen Avenue, Ikeja, Lagos",
            full_name: "Ngozi Okafor",
            country: "NG",
            radius_m: 100,
            reference: "signup-1",
          },
        },
        reply: {
          status: 201,
          body: {
            id: idLike("ver_"),
            status: "pending",
            confirm_url: regex("https?://.+", "https://service.example.com/confirm/0"),
            expires_at: timestamp,
            checks,
          },
        },
      },
      (signup) => signup.checkAddress("12 Allen Avenue, Ikeja, Lagos", "Ngozi Okafor"),
    );
    expect(page).toMatch(/^https:/);
  });

  const pending: State = ["a pending address check"];

  test("a location far away scores nothing", async () => {
    const status = await play(
      {
        description: "a location far from the address",
        given: [pending],
        request: {
          method: "POST",
          path: pathFromState("/v1/verify/address/{id}/location", "ver_0"),
          body: { latitude: 0, longitude: 0, accuracy_m: 10 },
        },
        reply: {
          status: 200,
          body: {
            type: "address",
            status: regex("review|failed", "review"),
            confidence_score: number(40),
            checks,
          },
        },
      },
      (signup) => signup.isAt("ver_0", 0, 0),
    );
    expect(status).toBe("review");
  });

  test("a utility bill adds to the score", async () => {
    const form = formOf({ field: "file", filename: "utility-bill.png", contentType: "image/png" });
    const status = await play(
      {
        description: "a bill with the address",
        given: [pending],
        request: { method: "POST", path: pathFromState("/v1/verify/address/{id}/document", "ver_0"), form },
        reply: {
          status: 200,
          body: {
            status: regex("verified|review", "review"),
            checks: { document: { status: "pass", points: number(20), name_match: true } },
          },
        },
      },
      (signup) => signup.showBill("ver_0", form, formType),
    );
    expect(status).toBe("review");
  });

  test("the result arrives as a webhook", async () => {
    const signup = new Signup("", key);
    await consumer
      .hearing("verification.completed", { type: "address", status: "verified" }, ["a verified address"])
      .executeTest(async ({ contents }) => signup.take(contents.content as unknown as SignupEvent));
    expect(signup.ended).toEqual(new Map([["address", "verified"]]));
  });
});

consumer.testCommitted();
