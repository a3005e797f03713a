import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PactV4 } from "@pact-foundation/pact";
import { describe, expect, test } from "vitest";
import { isBinary } from "../../../src/contract/operation.js";
import { type ExportedPact, type InteractionOptions, interaction } from "../../../src/index.js";
import { operationNames } from "../../../src/pact/consumer/operation-names.js";
import { serviceOperations } from "../../../src/service/index.js";
import { temporaryFolder } from "../../support/program.js";
import { failures, verify } from "../export/verified.js";

const folder = temporaryFolder();
const pact = new PactV4({ consumer: "signup", provider: "service", dir: folder, logLevel: "error" });
const written = (): ExportedPact["pact"] =>
  JSON.parse(readFileSync(join(folder, "signup-service.json"), "utf8"));

/** The client under test. */
async function send(url: string, method: string, path: string, body?: object) {
  const headers: Record<string, string> = { "X-Service-Key": "svc_test_shop", Authorization: "Bearer a.b.c" };
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Pact 16.3 to 16.5 may ask whether a match is noted before it is (pact-reference issue 535). */
const patient = { retry: 2 };

describe("a consumer test", patient, () => {
  test("has three lines", async () => {
    await interaction("startPhoneVerification", { body: { phone: "08031234567" } })
      .onPact(pact)
      .executeTest(async ({ url }) => {
        const { body } = await send(url, "POST", "/v1/phone/verify/start", { phone: "08099990000" });
        expect(body).toMatchObject({ status: "pending", id: expect.stringMatching(/^phv_/) });
      });
  });

  test("gives the reply that it names, from the state that this reply needs", async () => {
    const body = { id: "phv_1", code: "123456" };
    for (const verified of [true, false])
      await interaction("checkPhoneVerification", { body, reply: { verified } })
        .onPact(pact)
        .executeTest(async ({ url }) => {
          expect((await send(url, "POST", "/v1/phone/verify/check", body)).body).toEqual({ verified });
        });
  });

  test("names the state itself, with parameters", async () => {
    await interaction("listPayments", {
      state: { name: "a settled balance", params: { amount: 30_000 } },
      reply: { payments: [{ id: "pay_1", amount: 30_000, paid_at: "2026-11-21T09:00:00.000Z" }] },
    })
      .onPact(pact)
      .executeTest(async ({ url }) => {
        const { body } = await send(url, "GET", "/v1/business/payments");
        expect(body.payments).toMatchObject([{ id: "pay_1", amount: 30_000 }]);
      });
  });

  test("compares as it is what its state decides", async () => {
    const body = { id: "phv_1", code: "123456" };
    await interaction("checkPhoneVerification", {
      description: "a code that is checked once more",
      state: "a verified phone verification",
      body,
      reply: { verified: true },
    })
      .onPact(pact)
      .executeTest(({ url }) => send(url, "POST", "/v1/phone/verify/check", body));
  });

  test("has ids of the path and the query from the state", async () => {
    await interaction("getAudit", { params: { id: "aud_1" }, reply: { status: "pending" } })
      .onPact(pact)
      .executeTest(async ({ url }) => {
        expect(await send(url, "GET", "/v1/audits/aud_7")).toEqual({
          status: 200,
          body: { status: "pending" },
        });
      });
    await interaction("listPayments", {
      query: { virtual_account_id: "va_1" },
      reply: { payments: [{ fee: 1 }] },
    })
      .onPact(pact)
      .executeTest(({ url }) => send(url, "GET", "/v1/business/payments?virtual_account_id=va_1"));
  });

  test("is refused with an error code", async () => {
    const refusals: [Parameters<typeof interaction>[0], InteractionOptions, string, object, number][] = [
      ["verifyBvn", { body: { bvn: "225" }, refused: "invalid_bvn" }, "/v1/verify/bvn", { bvn: "225" }, 400],
      ["verifyNin", { refused: "insufficient_balance" }, "/v1/verify/nin", { nin: "35402817694" }, 402],
      ["createAudit", { refused: "rate_limited" }, "/v1/audits", { url: "https://example.com" }, 429],
      [
        "createPayout",
        { refused: "payout_account_required" },
        "/v1/business/payouts",
        { amount: 5_000 },
        422,
      ],
    ];
    for (const [name, options, path, body, status] of refusals)
      await interaction(name, options)
        .onPact(pact)
        .executeTest(async ({ url }) => {
          const answer = await send(url, "POST", path, body);
          expect(answer).toMatchObject({ status, body: { error: { code: options.refused } } });
        });
  });

  test("fails where the client sends something else", async () => {
    const elsewhere = new PactV4({
      consumer: "wrong",
      provider: "service",
      dir: temporaryFolder(),
      logLevel: "error",
    });
    const sending = interaction("verifyBvn", { body: { bvn: "22301948576" } })
      .onPact(elsewhere)
      .executeTest(({ url }) => send(url, "POST", "/v1/verify/bvn", { bvn: "225" }).catch(() => null));
    await expect(sending).rejects.toThrow(/bvn/);
  });

  test("makes a pact that the service meets", async () => {
    const report = await verify(written());
    expect(failures(report)).toEqual({});
    expect(report).toMatchObject({ passed: true, warnings: [] });
    expect(report.interactions.length).toBe(11);
  });

  test("turns red when what the service does is assumed otherwise", async () => {
    const assumptions = { "errors.validation_status": "422", "phone.code_reuse": "once" };
    expect(Object.keys(failures(await verify(written(), assumptions))).sort()).toEqual([
      "a code that is checked once more",
      "a verifyBvn that answers 400 invalid_bvn",
    ]);
  });
});

test("with nothing said, every operation gives an interaction that the service meets", patient, async () => {
  const every = new PactV4({ consumer: "every", provider: "service", dir: folder, logLevel: "error" });
  for (const name of operationNames) {
    const { request, response, onPact } = interaction(name);
    const query = new URLSearchParams(plain(request.query) as Record<string, string>);
    const path = `${plain(request.path)}${query.size > 0 ? `?${query}` : ""}`;
    await onPact(every).executeTest(async ({ url }) => {
      const got = await send(url, request.method, path, plain(request.body) as object | undefined);
      expect(got).toEqual({ status: response.status, body: plain(response.body) });
    });
  }
  const report = await verify(JSON.parse(readFileSync(join(folder, "every-service.json"), "utf8")));
  expect(failures(report)).toEqual({});
  expect(report.interactions.length).toBe(operationNames.length);
});

/** The examples of a template. */
function plain(template: unknown): unknown {
  if (Array.isArray(template)) return template.map(plain);
  if (typeof template !== "object" || template === null) return template ?? undefined;
  if ("pact:matcher:type" in template) return plain((template as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, plain(inner)]));
}

describe("a wrong name is answered with the nearest right one", () => {
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
      'amount in the body of createPayout is of type number, not "5000"',
    ],
    [
      "body without what it needs",
      () => interaction("createRefund", { body: { amount: 5 } }),
      "the body of createRefund needs payment_id, reason",
    ],
    [
      "status",
      () => interaction("createPayout", { status: 404 }),
      "createPayout answers 201 when it succeeds; refused names an error code",
    ],
    [
      "refusal without a reason",
      () => interaction("verifyBvn", { refused: "invalid_bvn" }),
      "verifyBvn refuses with invalid_bvn what is wrong with the request: say it with body or query",
    ],
    [
      "refusal that no state brings about",
      () => interaction("sendChannelCode", { refused: "plan_daily_cap" }),
      "there is no known state in which sendChannelCode refuses with plan_daily_cap: name one with state",
    ],
  ])("%s", (_what, make, message) => {
    expect(make).toThrow(new RangeError(message));
  });
});

test("every operation that speaks JSON both ways can be named, and no other", () => {
  const json = serviceOperations.filter(
    ({ upload, reply }) => !upload && !Object.values(reply).some(isBinary),
  );
  expect([...operationNames]).toEqual(json.map(({ id }) => id));
});
