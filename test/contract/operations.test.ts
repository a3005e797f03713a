import { describe, expect, test } from "vitest";
import { errors } from "../../src/contract/errors.js";
import { type AnyOperation, commonOutcomes, pathOf } from "../../src/contract/operation.js";
import { errorCodesOf, refusalsOf } from "../../src/contract/refusals.js";
import { compileValidator } from "../../src/contract/validate.js";
import { controlOperations } from "../../src/control/index.js";
import { assumptions, assumptionsOf, resolveAssumptions } from "../../src/service/assumptions.js";
import { serviceOperations } from "../../src/service/index.js";
import { priceList } from "../../src/service/prices.js";
import { testValues } from "../../src/service/test-values.js";
import { eventKinds, events, payloadSchema } from "../../src/service/webhooks/events.js";

/** All operation ids, in the interface's order. */
const ids = `startPhoneVerification checkPhoneVerification
verifyBvn verifyNin verifyFrsc verifyBankAccount verifyBvnAccountMatch verifyAddress submitAddressLocation
submitAddressDocument verifyDocument verifyLiveness verifyFaceMatch
createStreamingToken listStreamingSessions getBalance getUsage getPricing
createStoreAssets convertPdfToDocx convertDocxToPdf convertAudio removeBackground generateLogo
createAudit listAudits getAudit startDomainVerification checkDomainVerification
scanImage scanText scanVideo listMediaScans
listChannels createChannel connectChannel sendChannelMessage sendChannelCode checkChannelCode startIdentityCheck
getIdentityCheck
getBusinessOverview saveBusinessProfile createVirtualAccount listVirtualAccounts createCharge listPayments
simulatePayment setPayoutAccount createPayout createRefund listBusinessEvents
registerWebhook`.split(/\s+/);

describe("the operations of the service", () => {
  test("are the interface's 53, in its order", () => {
    expect(serviceOperations.map(({ id }) => id)).toEqual(ids);
    expect(ids).toHaveLength(53);
  });

  test("are all under /v1, and no control operation is", () => {
    for (const operation of serviceOperations) expect(pathOf(operation)).toMatch(/^\/v1\//);
    for (const operation of controlOperations) expect(pathOf(operation)).not.toMatch(/^\/v1/);
  });

  test.each(serviceOperations)("$id has schemas that compile", async ({ params, query, body, reply }) => {
    for (const schema of [params, query]) if (schema) await compileValidator(schema);
    if (body) await compileValidator(body);
    for (const schema of Object.values(reply)) if (!("contentType" in schema)) await compileValidator(schema);
  });

  test.each(serviceOperations)("$id declares outcomes that do not hide a common one", ({ outcomes }) => {
    expect(Object.keys(outcomes).filter((name) => name in commonOutcomes)).toEqual([]);
  });
});

describe("catalogues", () => {
  test("every error code can be returned by an operation or by the server itself", () => {
    const reachable = new Set(
      [...serviceOperations, ...controlOperations].flatMap((operation) => errorCodesOf(operation)),
    );
    const ofTheServer = ["route_not_found", "method_not_allowed"];
    expect(
      Object.keys(errors).filter((code) => !reachable.has(code as never) && !ofTheServer.includes(code)),
    ).toEqual([]);
  });

  test("every assumption that an operation names exists", () => {
    const known = new Set(assumptions.map(({ id }) => id));
    const named = (value: unknown): string[] =>
      typeof value !== "object" || value === null
        ? []
        : Object.entries(value).flatMap(([key, child]) =>
            key === "x-assumption" ? [String(child)] : key === "handle" ? [] : named(child),
          );
    for (const operation of serviceOperations) {
      for (const id of [...(operation.assumptions ?? []), ...named(operation)])
        expect(known, operation.id).toContain(id);
    }
  });

  test("no operation names a refusal that follows from its price or from the value of an assumption", () => {
    const repeated = serviceOperations.flatMap((operation) => {
      const following = new Set(refusalsOf({ ...operation, refuses: [] }));
      return operation.refuses.filter((code) => following.has(code)).map((code) => [operation.id, code]);
    });
    expect(repeated).toEqual([]);
  });

  test("no operation names an assumption that follows from its schemas or properties", () => {
    const repeated = serviceOperations.flatMap((operation: AnyOperation) => {
      const following = assumptionsOf({ ...operation, assumptions: [] });
      return (operation.assumptions ?? []).filter((id) => following.has(id)).map((id) => [operation.id, id]);
    });
    expect(repeated).toEqual([]);
  });

  test("every price that an operation asks for is in the list, and test values name outcomes that exist", () => {
    const prices = new Set(priceList.map(({ key }) => key));
    for (const { price } of serviceOperations) if (typeof price === "string") expect(prices).toContain(price);
    for (const { operations, outcome } of testValues) {
      for (const id of operations) {
        const operation = serviceOperations.find((candidate) => candidate.id === id);
        expect(Object.keys({ ...operation?.outcomes, ...commonOutcomes })).toContain(outcome);
      }
    }
  });

  test.each(eventKinds)("the example of %s fits its payload's schema", async (kind) => {
    const common = { id: "evt_0123456789abcdef", created_at: "2026-01-01T00:00:00.000Z" };
    const data = events[kind].example;
    const payload =
      kind === "verification.completed"
        ? { event: kind, job_id: "ver_0123456789abcdef", created_at: common.created_at, data }
        : { ...common, event: kind, is_test: true, data };
    const validate = await compileValidator(payloadSchema(kind));
    expect(
      validate(payload),
      JSON.stringify(validate.errors?.map(({ message, instancePath }) => [instancePath, message])),
    ).toBe(true);
  });

  test("an unknown switch or value is refused with the valid ones", () => {
    expect(() => resolveAssumptions({ "errors.bdy": "flat" })).toThrow("errors.body");
    expect(() => resolveAssumptions({ "errors.body": "xml" })).toThrow("envelope or problem or flat");
  });
});
