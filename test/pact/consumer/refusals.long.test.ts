/** Interactions that expect a refusal are met by the service, or the helper says what they lack. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PactV4 } from "@pact-foundation/pact";
import { describe, expect, test } from "vitest";
import { commonOutcomes } from "../../../src/contract/decision.js";
import type { ErrorCode } from "../../../src/contract/errors.js";
import { errorCodesOf } from "../../../src/contract/refusals.js";
import { type ConsumerInteraction, type InteractionOptions, interaction } from "../../../src/index.js";
import { assumptions } from "../../../src/service/assumptions.js";
import { type JsonOperationId, jsonOperationIds, serviceOperations } from "../../../src/service/index.js";
import { temporaryFolder } from "../../support/program.js";
import { shareOf } from "../../support/repetitions.js";
import { failures, verify } from "../export/verified.js";
import { play, retried } from "./play.js";

const folder = temporaryFolder();
const pactOf = (consumer: string) =>
  new PactV4({ consumer, provider: "service", dir: folder, logLevel: "error" });
const verified = (consumer: string) =>
  verify(JSON.parse(readFileSync(join(folder, `${consumer}-service.json`), "utf8")));

/** Returns null if the helper throws a RangeError. */
function refusalOf(name: JsonOperationId, refused: ErrorCode): ConsumerInteraction | null {
  try {
    return interaction(name, { refused });
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return null;
  }
}

test(
  "without other options, every refusal is met by the service or throws a RangeError",
  retried,
  async () => {
    const pact = pactOf("refused");
    const made: ConsumerInteraction[] = [];
    for (const name of jsonOperationIds) {
      const operation = serviceOperations.find(({ id }) => id === name);
      for (const code of operation ? errorCodesOf(operation as never, { serviceOnly: true }) : []) {
        // Every operation has these in the same way.
        if (code in commonOutcomes && name !== "verifyBvn") continue;
        const refusal = refusalOf(name, code);
        if (refusal) made.push(refusal);
      }
    }
    expect(made.length).toBeGreaterThan(35);
    // Short runs play every second one. Recorded refusals of all groups are verified in export/traffic.test.ts.
    const played = shareOf(made, 2, 0);
    for (const refusal of played) await play(pact, refusal);
    const report = await verified("refused");
    expect(failures(report)).toEqual({});
    expect(report.interactions.length).toBe(played.length);
  },
);

describe("the reason of a refusal", retried, () => {
  const channel = { channel_id: "ch_1" };
  const rows: [JsonOperationId, InteractionOptions][] = [
    ["checkPhoneVerification", { body: { id: 123, code: "123456" }, refused: "validation_error" }],
    ["checkPhoneVerification", { body: { id: "phv_1", code: "12" }, refused: "validation_error" }],
    [
      "sendChannelMessage",
      { params: channel, body: { to: "+2348031234567", text: "Hello" }, refused: "invalid_phone" },
    ],
    ["createRefund", { body: { payment_id: 5, reason: "Returned" }, refused: "validation_error" }],
    [
      "createRefund",
      { body: { payment_id: "pay_1", amount: 0, reason: "Returned" }, refused: "amount_out_of_range" },
    ],
    ["verifyBvn", { body: { bvn: "22301948576" }, refused: "phone_number_required" }],
    ["verifyBvn", { body: { bvn: "22301948576", phone_number: "12" }, refused: "invalid_phone" }],
    [
      "createVirtualAccount",
      {
        body: { customer_name: "Chidi Obi", customer_email: "chidi@example.com" },
        refused: "missing_field",
      },
    ],
    [
      "createVirtualAccount",
      {
        body: { customer_name: "Chidi Obi", customer_email: "chidi@example.com", reference: "c-17" },
        refused: "duplicate_reference",
      },
    ],
    ["createStreamingToken", { params: { session_type: "fax" }, refused: "validation_error" }],
    ["listPayments", { query: { status: "lost" }, refused: "validation_error" }],
    [
      "sendChannelMessage",
      {
        params: channel,
        body: { to: "2348031234567", document: { link: "https://shop.example/a.pdf", filename: "a.pdf" } },
        refused: "plan_required",
      },
    ],
  ];

  test("is sent as given", async () => {
    const pact = pactOf("reasons");
    for (const [index, [name, options]] of rows.entries())
      await play(pact, interaction(name, { ...options, description: `${name} ${index}` }));
    expect(failures(await verified("reasons"))).toEqual({});
  });

  const defaultOf = (id: string) =>
    assumptions
      .find((one) => one.id === id)
      ?.default.replaceAll("`", "")
      .replaceAll("\n", " ");

  test.each<[JsonOperationId, InteractionOptions, string]>([
    [
      "checkPhoneVerification",
      { refused: "code_expired" },
      'checkPhoneVerification refuses with code_expired only while the assumption phone.ended is "refused"; by default: ' +
        `${defaultOf("phone.ended")} ` +
        "Write it with Pact's own builder, and verify it with --assume phone.ended=refused",
    ],
    [
      "verifyNin",
      { refused: "resource_not_found" },
      'verifyNin refuses with resource_not_found only while the assumption lookup.not_found is "refused"; by default: ' +
        `${defaultOf("lookup.not_found")} ` +
        "Write it with Pact's own builder, and verify it with --assume lookup.not_found=refused",
    ],
    [
      "createVirtualAccount",
      { refused: "duplicate_reference" },
      "createVirtualAccount refuses with duplicate_reference only requests with body.reference: give it",
    ],
    [
      "sendChannelMessage",
      { body: { to: "2348031234567", text: "Hello" }, refused: "plan_required" },
      "sendChannelMessage refuses with plan_required only requests with body.image or body.document: give it",
    ],
    [
      "createPayout",
      { refused: "invalid_api_key", state: "a settled balance" },
      "createPayout refuses with invalid_api_key only requests that interaction() cannot make: write it with Pact's own builder",
    ],
    [
      "createPayout",
      { refused: "malformed_json", body: {} },
      "createPayout refuses with malformed_json only requests that interaction() cannot make: write it with Pact's own builder",
    ],
    [
      "sendChannelCode",
      { refused: "invalid_phone", params: channel },
      "sendChannelCode refuses only invalid requests with invalid_phone: give an invalid value in body or query",
    ],
  ])("%s %j is incomplete", (name, options, message) => {
    expect(() => interaction(name, options)).toThrow(new RangeError(message));
  });
});
