import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PactV4 } from "@pact-foundation/pact";
import { describe, expect, test } from "vitest";
import { isBinary } from "../../../src/contract/reply-forms.js";
import { type ExportedPact, type InteractionOptions, interaction } from "../../../src/index.js";
import { jsonOperationIds, serviceOperations } from "../../../src/service/index.js";
import { temporaryFolder } from "../../support/program.js";
import { shareOf } from "../../support/repetitions.js";
import { failures, verify } from "../export/verified.js";
import { play, retried, send } from "./play.js";

const folder = temporaryFolder();
const pact = new PactV4({ consumer: "signup", provider: "service", dir: folder, logLevel: "error" });
const written = (): ExportedPact["pact"] =>
  JSON.parse(readFileSync(join(folder, "signup-service.json"), "utf8"));

describe("a consumer test", retried, () => {
  test("takes three lines", async () => {
    await interaction("startPhoneVerification", { body: { phone: "08031234567" } })
      .onPact(pact)
      .executeTest(async ({ url }) => {
        const { body } = await send(url, "POST", "/v1/phone/verify/start", { phone: "08099990000" });
        expect(body).toMatchObject({ status: "pending", id: expect.stringMatching(/^phv_/) });
      });
  });

  test("expects the given reply, from the state that it requires", async () => {
    const body = { id: "phv_1", code: "123456" };
    for (const verified of [true, false])
      await interaction("checkPhoneVerification", { body, reply: { verified } })
        .onPact(pact)
        .executeTest(async ({ url }) => {
          expect((await send(url, "POST", "/v1/phone/verify/check", body)).body).toEqual({ verified });
        });
  });

  test("can name the state, with parameters", async () => {
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

  test("compares fields exactly that its state decides", async () => {
    const body = { id: "phv_1", code: "123456" };
    await interaction("checkPhoneVerification", {
      description: "a code that is checked once more",
      state: "a verified phone verification",
      body,
      reply: { verified: false },
    })
      .onPact(pact)
      .executeTest(({ url }) => send(url, "POST", "/v1/phone/verify/check", body));
  });

  test("takes ids in path and query from the state", async () => {
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

  test("expects an empty list if the reply has one", async () => {
    await interaction("listPayments", { reply: { payments: [] } })
      .onPact(pact)
      .executeTest(async ({ url }) => {
        expect((await send(url, "GET", "/v1/business/payments")).body).toEqual({ payments: [] });
      });
    const query = { virtual_account_id: "va_1" };
    const description = "the payments of an account number that got none";
    await interaction("listPayments", { description, query, reply: { payments: [] } })
      .onPact(pact)
      .executeTest(({ url }) => send(url, "GET", "/v1/business/payments?virtual_account_id=va_1"));
  });

  test("can expect a refusal by its error code", async () => {
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

  test("fails if the client sends something else", async () => {
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

  test("writes a pact that the service meets", async () => {
    const report = await verify(written());
    expect(failures(report)).toEqual({});
    expect(report).toMatchObject({ passed: true, warnings: [] });
    expect(report.interactions.length).toBe(13);
  });

  test("fails under other assumptions", async () => {
    const assumptions = { "errors.validation_status": "422" };
    expect(Object.keys(failures(await verify(written(), assumptions))).sort()).toEqual([
      "a verifyBvn that answers 400 invalid_bvn",
    ]);
  });
});

/** Short runs take every second operation; the example consumers and the refusals use most of the others. */
const named = shareOf(jsonOperationIds, 2, 0);

test("without options, every operation gives an interaction that the service meets", retried, async () => {
  const every = new PactV4({ consumer: "every", provider: "service", dir: folder, logLevel: "error" });
  for (const name of named) await play(every, interaction(name));
  const report = await verify(JSON.parse(readFileSync(join(folder, "every-service.json"), "utf8")));
  expect(failures(report)).toEqual({});
  expect(report.interactions.length).toBe(named.length);
});

test("the operations that can be named are those without files", () => {
  const json = serviceOperations.filter(
    ({ upload, reply }) => !upload && !Object.values(reply).some(isBinary),
  );
  expect(jsonOperationIds).toEqual(json.map(({ id }) => id));
});
