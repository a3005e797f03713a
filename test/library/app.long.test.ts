/** The sandbox as an Express application: passed to supertest, and mounted in a user's application. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox, createSandbox, type Sandbox, type SandboxOptions } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { startReceiver } from "../support/receiver.js";
import { isLong } from "../support/repetitions.js";

/** Scenarios with an upload, a live key and hosted pages. Long runs have all. */
const mounted = isLong
  ? await bundledScenarioNames()
  : ["media-scan", "live-key", "card-checkout", "demo-day"];
const phone = "+2348031234567";

async function create(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ validateReplies: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function serve(app: express.Express): Promise<{ url: string; server: Server }> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe("without a port", () => {
  test("supertest calls the service, and the account reads its inbox and advances its clock", async () => {
    const sandbox = await create();
    const account = sandbox.account();
    const { body } = await request(sandbox.app)
      .post("/v1/phone/verify/start")
      .set("X-Service-Key", account.key)
      .send({ phone })
      .expect(201);
    const { codes } = await account.inbox.wait({ to: phone });
    await account.advance("5m");
    const checked = await account.fetch("/v1/phone/verify/check", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id: body.id, code: codes[0] }),
    });
    expect(await checked.json()).toMatchObject({ verified: true });
    expect([sandbox.url, account.baseUrl]).toEqual(["", ""]);
    expect((await sandbox.coverage()).summary.operations.exercised).toBe(2);
  });

  test("webhooks reach a receiver", async () => {
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    const account = (await create()).account();
    const headers = { "Content-Type": "application/json" };
    await account.fetch("/v1/webhooks", {
      method: "POST",
      headers,
      body: JSON.stringify({ url: receiver.url }),
    });
    await account.events.trigger("payout.paid");
    const [received] = await receiver.got(1);
    expect(JSON.parse(String(received?.body))).toMatchObject({ event: "payout.paid" });
  });

  test("refusals, connection resets and uploads behave as they do over a port", async () => {
    const sandbox = await create();
    const account = sandbox.account();
    await expect(account.records.get("phv_none")).rejects.toMatchObject({ code: "resource_not_found" });
    await account.rules.add({ on: "getBalance", fault: { reply: "reset_before" } });
    await expect(account.fetch("/v1/balance")).rejects.toThrow();
    const form = new FormData();
    form.set("file", new Blob(["no picture"]), "me.txt");
    const reply = await account.fetch("/v1/verify/liveness", { method: "POST", body: form });
    expect(reply.status).toBe(415);
  });

  test("accounts created before it listens use the port from then on", async () => {
    const sandbox = await create();
    const account = sandbox.account();
    const url = await sandbox.listen();
    expect([sandbox.url, account.baseUrl]).toEqual([url, url]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await account.inbox.list()).toEqual([]);
  });
});

describe("mounted behind the user's express.json(), in front of other routes", () => {
  let sandbox: Sandbox;
  let shop: { url: string; server: Server };

  beforeAll(async () => {
    sandbox = await createSandbox({ validateReplies: true });
    const app = express();
    app.use(express.json({ limit: "10mb" }));
    app.use("/sandbox", sandbox.app);
    app.get("/orders", (_request, response) => void response.json([]));
    shop = await serve(app);
  });
  afterAll(async () => {
    shop.server.close();
    shop.server.closeAllConnections();
    await sandbox.close();
  });
  const account = () => connectSandbox(`${shop.url}/sandbox`).account();

  test.each(mounted)("the scenario %s passes", async (name) => {
    const { mode } = name === "live-key" ? { mode: "live" as const } : { mode: "test" as const };
    const result = await connectSandbox(`${shop.url}/sandbox`).account({ mode }).scenario.run(name);
    expect(result.steps.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(result.passed).toBe(true);
  });

  test("a body has the same limit as without the user's parser", async () => {
    const customer = account();
    const start = (reference: string) =>
      customer.fetch("/v1/phone/verify/start", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ phone: "08031234567", reference }),
      });
    expect((await start("x".repeat(1024 * 1024 - 1_000))).status).not.toBe(413);
    const reply = await start("x".repeat(1024 * 1024));
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ error: { code: "body_too_large" } });
  });

  test("a snapshot has the same limit of values as without the user's parser", async () => {
    const reply = await account().fetch("/_sandbox/snapshot", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: `{"state":[${"1,".repeat(4_194_305)}1]}`,
    });
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ error: { code: "body_too_large" } });
  });

  test("the other routes still work, and the sandbox answers unknown paths below its mount path", async () => {
    expect(await (await fetch(`${shop.url}/orders`)).json()).toEqual([]);
    const reply = await fetch(`${shop.url}/sandbox/orders`);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { code: "route_not_found" } });
  });

  test("links to pages, style sheets and documents include the mount path", async () => {
    const customer = account();
    await customer.scenario.load({ name: "A shop", given: { business: { business_name: "Ada's" } } });
    const charge = { amount: 5000, customer_name: "Ada", customer_email: "a@b.example", description: "Rice" };
    const made = await customer.fetch("/v1/business/charges", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(charge),
    });
    const { checkout_url: checkoutUrl } = (await made.json()) as { checkout_url: string };
    expect(checkoutUrl).toMatch(`${shop.url}/sandbox/pay/`);
    for (const page of [
      checkoutUrl,
      ...["/", "/start", "/docs/exports"].map((path) => `${shop.url}/sandbox${path}`),
    ]) {
      const reply = await fetch(page, { headers: { Accept: "text/html" } });
      expect([page, reply.status]).toEqual([page, 200]);
      const html = await reply.text();
      const links = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(
        ([, link]) => new URL(link ?? "", page),
      );
      expect(links.length).toBeGreaterThan(2);
      for (const link of links) {
        expect(link.href).toMatch(`${shop.url}/sandbox/`);
        expect([link.href, (await fetch(link)).status]).toEqual([link.href, 200]);
      }
    }
    const contract = await fetch(`${shop.url}/sandbox/openapi.json`);
    expect(await contract.json()).toMatchObject({ servers: [{ url: `${shop.url}/sandbox` }] });
  });

  test("a body that the user's parser has read is checked by the sandbox's rules", async () => {
    const post = (body: string) =>
      account().fetch("/v1/phone/verify/start", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      });
    expect((await post("[]")).status).toBe(400);
    expect((await post(`{"phone":"08031234567","x":${"[".repeat(70)}${"]".repeat(70)}}`)).status).toBe(400);
    expect((await post("{}")).status).toBe(400);
  });
});

describe("links", () => {
  const confirmUrl = async (sandbox: Sandbox, host: string): Promise<string> => {
    const { body } = await request(sandbox.app)
      .post("/v1/verify/address")
      .set("X-Service-Key", sandbox.account().key)
      .set("Host", host)
      .send({
        address: "12 Allen Avenue, Ikeja",
        full_name: "Ada",
        country: "NG",
        radius_m: 100,
        reference: "1",
      });
    return body.confirm_url;
  };

  test("use the address that received the request", async () => {
    const sandbox = await create();
    expect(await confirmUrl(sandbox, "sandbox:49152")).toMatch(/^http:\/\/sandbox:49152\/confirm\//);
    expect(await confirmUrl(sandbox, "[::1]:4010")).toMatch(/^http:\/\/\[::1\]:4010\/confirm\//);
  });

  test("use the public URL if there is one, including its path", async () => {
    const sandbox = await create({ publicUrl: "https://shop.example/sandbox/" });
    expect(await confirmUrl(sandbox, "10.0.0.7:4010")).toMatch(
      /^https:\/\/shop\.example\/sandbox\/confirm\//,
    );
    const { text } = await request(sandbox.app).get("/start").set("Host", "shop.example");
    expect(text).toContain('href="/sandbox/docs"');
  });

  test("never use an invalid Host header", async () => {
    const sandbox = await create();
    expect(await confirmUrl(sandbox, 'evil"><script>')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/confirm\//);
  });
});
