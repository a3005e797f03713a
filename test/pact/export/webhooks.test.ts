import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExportedPact, SandboxAccount } from "../../../src/index.js";
import { runVerifier, type VerifierResult } from "../../../src/pact/verify/run-verifier.js";
import { temporaryFolder } from "../../support/program.js";
import { expectedSignature, type Receiver, startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox();

/** An integrator's receiver, which refuses wrong signatures once the provider state has set its secret. */
const integrator = (accepted: number): Promise<Receiver> => {
  let secret: string | null = null;
  return startReceiver((_count, response, { path, headers, body }) => {
    if (path === "/states") {
      const { params = {} } = JSON.parse(body.toString("utf8")) as { params?: { secret?: string } };
      secret = params.secret ?? secret;
      response.setHeader("Content-Type", "application/json").end("{}");
      return;
    }
    if (secret === null) return void response.writeHead(204).end();
    const isGenuine = headers["x-service-signature"] === expectedSignature(body, secret);
    response.writeHead(isGenuine ? accepted : 401).end();
  });
};

/** Runs Pact's verifier directly against the receiver. */
async function verifyReceiver({ pact }: ExportedPact, receiver: Receiver): Promise<VerifierResult> {
  const file = join(temporaryFolder(), "webhooks.json");
  writeFileSync(file, JSON.stringify(pact));
  const { origin } = new URL(receiver.url);
  const { result } = await runVerifier({
    provider: "receiver",
    providerBaseUrl: origin,
    providerStatesSetupUrl: `${origin}/states`,
    providerStatesSetupBody: true,
    pactUrls: [file],
    logLevel: "error",
  });
  return result;
}

let receiver: Receiver;
let account: SandboxAccount;
beforeEach(async () => {
  receiver = await integrator(204);
  account = sandbox.account();
});
afterEach(() => receiver.close());

/** Delivers two events to one endpoint, one with multi-byte characters. */
async function deliver(): Promise<void> {
  await post(account, "/v1/webhooks", { url: `${receiver.url}?shop=7` });
  await account.events.trigger("payout.paid", { id: "po_1", bank_name: "Ọlá Ifẹ́ Bank — ₦" });
  await account.events.trigger("payout.paid");
  await account.events.trigger("refund.processed");
  await receiver.got(3);
}

describe("deliveries exported as a pact with their receiver", () => {
  test("keep their bytes and signature", async () => {
    await deliver();
    const { pact, left_out } = await account.pact({ of: "webhooks", consumer: "standin", provider: "shop" });
    expect([pact.consumer.name, pact.provider.name, left_out]).toEqual(["standin", "shop", []]);
    const [paid, ...others] = pact.interactions as unknown as {
      description: string;
      request: { body: { content: string }; headers: Record<string, string[]>; query: object };
      providerStates: { name: string; params: { secret: string } }[];
    }[];
    const bytes = Buffer.from(paid?.request.body.content ?? "", "base64");
    const delivered = receiver.received.find(({ body }) => body.includes("po_1"));
    expect(bytes.equals(delivered?.body as Buffer)).toBe(true);
    const [state] = paid?.providerStates ?? [];
    expect(state?.name).toBe("a receiver with the secret");
    expect(paid?.request.headers).toEqual({
      "content-type": ["application/json"],
      "X-Service-Signature": [expectedSignature(bytes, state?.params.secret ?? "")],
    });
    expect(paid?.request.query).toEqual({ shop: ["7"] });
    expect(others.map(({ description }) => description)).toEqual(["a refund.processed event at /webhooks"]);
  });

  test("are met by a receiver that accepts them", async () => {
    await deliver();
    const exported = await account.pact({ of: "webhooks" });
    receiver.received.length = 0;
    const { result, interactionResults } = await verifyReceiver(exported, receiver);
    expect([result, interactionResults.map((one) => one.result)]).toEqual([true, ["OK", "OK"]]);
    const came = receiver.received.filter(({ path }) => path === "/webhooks?shop=7");
    expect(came.map(({ body }) => JSON.parse(body.toString("utf8")).event)).toEqual([
      "payout.paid",
      "refund.processed",
    ]);
  });

  test("are not met by a receiver that fails or expects another signature", async () => {
    await deliver();
    const exported = await account.pact({ of: "webhooks" });
    const failing = await integrator(500);
    expect((await verifyReceiver(exported, failing)).result).toBe(false);
    await failing.close();
    const text = JSON.stringify(exported).replaceAll(/"secret":"[^"]+"/g, '"secret":"whsec_of_another"');
    const { result, errors } = await verifyReceiver(JSON.parse(text), receiver);
    expect(result).toBe(false);
    expect(JSON.stringify(errors)).toContain("401");
  });

  test("that a rule tampered with are left out, with the reason", async () => {
    await post(account, "/v1/webhooks", { url: receiver.url });
    await account.rules.add({ on: "payout.paid", webhook: { tamper: "signature" }, times: 1 });
    await account.events.trigger("payout.paid");
    expect(await account.pact({ of: "webhooks" })).toMatchObject({
      pact: { interactions: [] },
      left_out: ["a payout.paid event at /webhooks: a rule tampered with it, so a receiver must refuse it"],
    });
  });
});
