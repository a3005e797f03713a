/** Mistakes in a consumer test fail when it runs, with a correction. */
import { describe, expect, test } from "vitest";
import { interaction } from "../../../src/index.js";

describe("for an unknown name, the error suggests the nearest known one", () => {
  test.each<[string, () => unknown, string]>([
    [
      "operation",
      // @ts-expect-error: names are checked when a test is compiled
      () => interaction("startPhoneVerificaton"),
      'there is no operation "startPhoneVerificaton"; the nearest is "startPhoneVerification"',
    ],
    [
      "operation that takes files",
      // @ts-expect-error: names are checked when a test is compiled
      () => interaction("verifyLiveness"),
      "verifyLiveness takes or answers with files: write its interaction with Pact's own builder",
    ],
    [
      "error code",
      // @ts-expect-error: codes are checked when a test is compiled
      () => interaction("verifyBvn", { refused: "invalid_bnv" }),
      'verifyBvn does not refuse with "invalid_bnv"; the nearest is "invalid_bvn"',
    ],
    [
      "state",
      () => interaction("createPayout", { state: "a setled balance" }),
      'there is no provider state "a setled balance"; the nearest is "a settled balance"',
    ],
    [
      "parameter of a state",
      () => interaction("createPayout", { state: { name: "a settled balance", params: { amont: 1 } } }),
      'the state "a settled balance" has no parameter "amont"; the nearest is "amount"',
    ],
    [
      "field of the body",
      () => interaction("verifyBvn", { body: { bvnn: "22301948576" } }),
      'the body of verifyBvn has no field "bvnn"; the nearest is "bvn"',
    ],
    [
      "field of the body that every object inherits",
      () => interaction("verifyBvn", { body: { constructor: "22301948576" } }),
      'the body of verifyBvn has no field "constructor"; the nearest is "phone_number"',
    ],
    [
      "field within the reply",
      () => interaction("verifyBvn", { reply: { data: { phone_numbr: "+2348031234567" } } }),
      'data in the reply of verifyBvn has no field "phone_numbr"; the nearest is "phone_number"',
    ],
    [
      "choice",
      () => interaction("checkPhoneVerification", { reply: { status: "expird" } }),
      'status in the reply of checkPhoneVerification cannot be "expird"; the nearest is "expired"',
    ],
    [
      "type",
      () => interaction("createPayout", { body: { amount: "5000" } }),
      'amount in the body of createPayout must be of type number, not "5000"',
    ],
    [
      "body without what it needs",
      () => interaction("createRefund", { body: { amount: 5 } }),
      "the body of createRefund needs payment_id, reason",
    ],
    [
      "status",
      () => interaction("createPayout", { status: 404 }),
      "createPayout succeeds with 201; for a refusal, give its error code as refused",
    ],
    [
      "refusal without a reason",
      () => interaction("verifyBvn", { refused: "invalid_bvn" }),
      "verifyBvn refuses only invalid requests with invalid_bvn: give an invalid value in body or query",
    ],
    [
      "refusal that no state brings about",
      () => interaction("sendChannelCode", { refused: "plan_daily_cap" }),
      "no known provider state makes sure that sendChannelCode refuses with plan_daily_cap: name one with state",
    ],
  ])("%s", (_what, make, message) => {
    expect(make).toThrow(new RangeError(message));
  });
});

describe("an argument that has no effect is refused", () => {
  const id = "po_1";
  test.each<[string, () => unknown, string]>([
    [
      "path parameters where the path has none",
      () => interaction("createPayout", { params: { id } }),
      "createPayout takes no params",
    ],
    [
      "a query where none is taken",
      () => interaction("createPayout", { query: { id } }),
      "createPayout takes no query",
    ],
    [
      "an option that does not exist",
      // @ts-expect-error: options are checked when a test is compiled
      () => interaction("createPayout", { bodi: {} }),
      'the options of createPayout have no "bodi"; the nearest is "body"',
    ],
    [
      "no options",
      // @ts-expect-error: options are checked when a test is compiled
      () => interaction("createPayout", null),
      "the options of createPayout must be an object, not null",
    ],
    [
      "no body",
      // @ts-expect-error: options are checked when a test is compiled
      () => interaction("createPayout", { body: null }),
      "body of createPayout must be an object, not null",
    ],
    [
      "no reply",
      // @ts-expect-error: options are checked when a test is compiled
      () => interaction("createPayout", { reply: null }),
      "the reply of createPayout must be of type object, not null",
    ],
    [
      "a list for an object",
      () => interaction("createPayout", { reply: [] }),
      "the reply of createPayout must be of type object, not []",
    ],
    [
      "an object for a list",
      () => interaction("listAudits", { reply: {} }),
      "the reply of listAudits must be of type array, not {}",
    ],
    [
      "a reply beside a refusal",
      () => interaction("createPayout", { refused: "insufficient_available_balance", reply: { id } }),
      "reply and refused of createPayout exclude each other: give one of them",
    ],
    [
      "a status beside a refusal",
      () => interaction("createPayout", { refused: "insufficient_available_balance", status: 201 }),
      "status and refused of createPayout exclude each other: give one of them",
    ],
    [
      "an empty description",
      () => interaction("createPayout", { description: "" }),
      'the description of createPayout must be a non-empty string, not ""',
    ],
    [
      "a state without a name",
      // @ts-expect-error: options are checked when a test is compiled
      () => interaction("createPayout", { state: { nam: "a settled balance" } }),
      'a state of createPayout must be a name or { name, params }, not {"nam":"a settled balance"}',
    ],
    [
      "a value of a state's parameter",
      () => interaction("createPayout", { state: { name: "a settled balance", params: { amount: "x" } } }),
      'amount in the parameters of the state "a settled balance" must be of type number, not "x"',
    ],
    [
      "a choice of a state's parameter",
      () => interaction("createPayout", { state: { name: "a plan", params: { plan: "startr" } } }),
      'plan in the parameters of the state "a plan" cannot be "startr"; the nearest is "starter"',
    ],
  ])("%s", (_what, make, message) => {
    expect(make).toThrow(new RangeError(message));
  });
});

describe("an example must be one that the service sends or accepts", () => {
  test.each<[string, () => unknown, string]>([
    [
      "ids have their prefix",
      () => interaction("startPhoneVerification", { reply: { id: "12345" } }),
      'id in the reply of startPhoneVerification must be text that matches ^phv_\\S+$, not "12345"',
    ],
    [
      "timestamps are timestamps",
      () => interaction("startPhoneVerification", { reply: { expires_at: "tomorrow" } }),
      'expires_at in the reply of startPhoneVerification must be a date-time, not "tomorrow"',
    ],
    [
      "numbers have their digits",
      () => interaction("verifyBvn", { body: { bvn: "12" } }),
      'bvn in the body of verifyBvn must be exactly 11 digits, not "12"',
    ],
    [
      "numbers keep to their range",
      () => interaction("verifyBvn", { reply: { confidence_score: 120 } }),
      "confidence_score in the reply of verifyBvn must be at most 100, not 120",
    ],
    [
      "numbers are numbers",
      () => interaction("createPayout", { reply: { amount: Number.NaN } }),
      "amount in the reply of createPayout must be of type number, not NaN",
    ],
    [
      "texts have their length",
      () => interaction("createRefund", { body: { payment_id: "pay_1", reason: "" } }),
      'reason in the body of createRefund must have at least 1 character, not ""',
    ],
    [
      "lists have their entries",
      () => interaction("registerWebhook", { body: { url: "https://shop.example.com", events: [] } }),
      "events in the body of registerWebhook must have at least 1 entry, not []",
    ],
    [
      "also if the refusal does not depend on the request",
      () => interaction("verifyBvn", { body: { bvn: "12" }, refused: "insufficient_balance" }),
      'bvn in the body of verifyBvn must be exactly 11 digits, not "12"',
    ],
  ])("%s", (_what, make, message) => {
    expect(make).toThrow(new RangeError(message));
  });
});
