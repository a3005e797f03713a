/** HTTPS of the library, and webhooks to receivers with private certificates. */
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, type SandboxOptions, startSandbox } from "../../../src/index.js";
import { createKey, issueAuthority, issueServer } from "../../../src/server/tls/issue.js";
import { eventKinds } from "../../../src/service/webhooks/events.js";
import { temporaryFolder } from "../../support/program.js";

async function start(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ tls: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const get = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { ca, headers: { "X-Service-Key": "svc_test_tls_client" } }, (reply) =>
      resolve(reply.resume().statusCode),
    )
      .on("error", reject)
      .end();
  });

describe("the library", () => {
  test("serves HTTPS with an authority of its own, which a data folder keeps", async () => {
    const sandbox = await start();
    expect(sandbox.tlsUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await get(`${sandbox.tlsUrl}/v1/balance`, sandbox.ca as string)).toBe(200);
    const data = temporaryFolder();
    const first = await startSandbox({ data, tls: true });
    const { ca } = first;
    await first.close();
    const second = await start({ data });
    expect(second.ca).toBe(ca);
    expect(ca).not.toBe(sandbox.ca);
  });

  test("has neither address nor authority without the option, and closes both listeners", async () => {
    const plain = await start({ tls: false });
    expect([plain.tlsUrl, plain.ca]).toEqual([null, null]);
    const sandbox = await startSandbox({ tls: true });
    await sandbox.close();
    await expect(get(`${sandbox.tlsUrl}/v1/balance`, sandbox.ca as string)).rejects.toThrow("ECONNREFUSED");
  });

  test("has an authority that clients refuse for names that it was not made for", async () => {
    const authority = await issueAuthority(["shop.internal", "*.staging.internal", "10.0.0.7"]);
    const tlsFiles = async (hosts: readonly string[]) => {
      const folder = temporaryFolder();
      const { certificate, key } = issueServer(hosts, authority, await createKey());
      const [tlsCert, tlsKey] = [join(folder, "cert.pem"), join(folder, "key.pem")];
      writeFileSync(tlsCert, certificate);
      writeFileSync(tlsKey, key);
      return { tlsCert, tlsKey };
    };
    const permitted = [
      "127.0.0.9",
      "www.shop.internal",
      "staging.internal",
      "a.staging.internal",
      "10.0.0.7",
    ];
    const { tlsUrl } = await start(await tlsFiles(["127.0.0.1", ...permitted]));
    expect(await get(`${tlsUrl}/v1/balance`, authority.certificate)).toBe(200);
    for (const host of ["example.com", "othershop.internal", "10.0.0.8", "::2"]) {
      const outside = await start(await tlsFiles(["127.0.0.1", host]));
      const reached = get(`${outside.tlsUrl}/v1/balance`, authority.certificate);
      await expect(reached, host).rejects.toThrow("permitted subtree violation");
    }
  });

  test("shows a certificate from files", async () => {
    const folder = temporaryFolder();
    const authority = await issueAuthority([]);
    const { certificate, key } = issueServer(["127.0.0.1"], authority, await createKey());
    const [tlsCert, tlsKey] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(tlsCert, certificate);
    writeFileSync(tlsKey, key);
    const sandbox = await start({ tlsCert, tlsKey });
    expect(sandbox.ca).toBeNull();
    expect(await get(`${sandbox.tlsUrl}/v1/balance`, authority.certificate)).toBe(200);
    writeFileSync(tlsKey, authority.key);
    await expect(startSandbox({ tlsCert, tlsKey })).rejects.toThrow(/belongs to another certificate/);
    writeFileSync(tlsKey, "no key");
    await expect(startSandbox({ tlsCert, tlsKey })).rejects.toThrow(/must be files in PEM/);
    await expect(startSandbox({ tlsCert, tlsKey: join(folder, "none") })).rejects.toThrow(
      /tlsKey must be a file that can be read/,
    );
    await expect(startSandbox({ tlsCert })).rejects.toThrow(/tlsCert and tlsKey must be given together/);
  });
});

describe("a receiver with a private certificate", () => {
  async function receiver() {
    const authority = await issueAuthority([]);
    const { certificate: cert, key } = issueServer(["127.0.0.1"], authority, await createKey());
    const events: string[] = [];
    const server = createServer({ cert, key }, (incoming, reply) => {
      let text = "";
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("end", () => {
        events.push(JSON.parse(text).event);
        reply.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const ca = join(temporaryFolder(), "ca.pem");
    writeFileSync(ca, authority.certificate);
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, events, ca };
  }

  async function sendAll(account: SandboxAccount): Promise<void> {
    await account.clock.freeze();
    for (const event of eventKinds) await account.events.trigger(event);
    await account.advance("0s");
  }

  test("gets all events with webhookCa, and where verify_tls is false", async () => {
    const { url, events, ca } = await receiver();
    const trusting = await start({ tls: false, webhookCa: ca });
    const one = trusting.account();
    await one.call("addWebhook", { body: { url } });
    await sendAll(one);
    expect(events.splice(0).sort()).toEqual([...eventKinds].sort());
    const plain = await start({ tls: false });
    const other = plain.account();
    expect(await other.call("addWebhook", { body: { url, verify_tls: false } })).toMatchObject({
      verify_tls: false,
    });
    await sendAll(other);
    expect(events.sort()).toEqual([...eventKinds].sort());
    expect(await other.webhooks.list()).toMatchObject([{ verify_tls: false }]);
  });

  test("gets none otherwise, and the attempt says what would accept it", async () => {
    const { url, events } = await receiver();
    const account = (await start({ tls: false })).account();
    await account.call("addWebhook", { body: { url } });
    await account.clock.freeze();
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    const [delivery] = await account.deliveries.list();
    expect(delivery?.attempts[0]?.error).toMatch(
      /certificate.*; to accept it, start with --webhook-ca FILE or register the endpoint with POST \/_sandbox\/webhooks \{"verify_tls": false\}$/,
    );
    expect(events).toEqual([]);
  });

  test("is registered by the service without verify_tls, and keeps it when it is registered again", async () => {
    const account = (await start({ tls: false })).account();
    const url = "https://127.0.0.1:9/hooks";
    await account.call("addWebhook", { body: { url, verify_tls: false } });
    const reply = await account.fetch("/v1/webhooks", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url }),
    });
    expect(Object.keys((await reply.json()) as object)).not.toContain("verify_tls");
    expect(await account.webhooks.list()).toMatchObject([{ url, verify_tls: false }]);
  });

  test("cannot have its check switched off or on by the service, which does not know verify_tls", async () => {
    const { url, events } = await receiver();
    const account = (await start({ tls: false })).account();
    const register = (verify_tls: boolean) =>
      account.fetch("/v1/webhooks", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ url, verify_tls }),
      });
    expect((await register(false)).status).toBe(201);
    expect(Object.keys((await account.webhooks.list())[0] ?? {})).not.toContain("verify_tls");
    await sendAll(account);
    expect(events).toEqual([]);
    await account.call("addWebhook", { body: { url, verify_tls: false } });
    expect((await register(true)).status).toBe(200);
    expect(await account.webhooks.list()).toMatchObject([{ url, verify_tls: false }]);
  });
});
