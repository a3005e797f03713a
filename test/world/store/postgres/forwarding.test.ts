import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { finished } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../../../src/index.js";
import { testKey } from "../../../../src/server/settings.js";
import { freshDatabase, startReplicasHere, type TestDatabase } from "../../../support/postgres.js";
import { startReceiver } from "../../../support/receiver.js";
import { call, post, read, startPhone } from "../../../support/sandbox.js";
import { addReplica, endReplica, giveAccount, ownersIn, pointReplicasTo } from "../../../support/stores.js";
import { until } from "../../../support/until.js";

/** Returns an account that the first replica owns, as the second one sees it. */
async function ownedElsewhere() {
  const database = await freshDatabase();
  const [owner, other] = await startReplicasHere(database, 2);
  const there = owner.account();
  await startPhone(there);
  return { there, here: other.account({ key: there.key }), database };
}

const answeredBy = async (account: SandboxAccount): Promise<string> => {
  const { replicas } = (await call(account, "GET", "/_sandbox/accounts")).body;
  return replicas.find(({ answered }: { answered: boolean }) => answered).url;
};

test("requests for an account that another replica owns are answered by that one", async () => {
  const { here, there, database } = await ownedElsewhere();
  const start = await startPhone(here);
  expect(start.status).toBe(201);
  expect((await call(there, "GET", "/_sandbox/machines/phone_verification/records")).body.items).toHaveLength(
    2,
  );
  expect(await answeredBy(here)).toBe(there.baseUrl);
  expect(await ownersIn(database)).toBe(1);
});

test("an account is found by its id and by a session token at every replica", async () => {
  const { here, there } = await ownedElsewhere();
  const { id } = (await call(there, "GET", "/_sandbox/account")).body;
  const byId = await fetch(`${here.baseUrl}/_sandbox/account`, { headers: { "X-Sandbox-Account": id } });
  expect((await read(byId)).body.id).toBe(id);
  const { token } = (await call(there, "POST", "/_sandbox/session-token")).body;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ domain: "shop.example" });
  const start = await read(
    await fetch(`${here.baseUrl}/v1/domains/verify/start`, { method: "POST", headers, body }),
  );
  expect([start.status, start.body.error]).toEqual([201, undefined]);
  expect(start.headers.get("x-request-id")).toBeTruthy();
});

test("links name the address that the client used, whichever replica answers", async () => {
  const { here } = await ownedElsewhere();
  const { status, body } = await post(here, "/v1/verify/address", {
    full_name: "Ada Obi",
    address: "12 Allen Avenue, Ikeja, Lagos",
    country: "NG",
  });
  expect(status).toBe(201);
  expect(body.confirm_url).toContain(`${here.baseUrl}/confirm/`);
  const page = await fetch(body.confirm_url);
  expect([page.status, (await page.text()).includes("Allen Avenue")]).toEqual([200, true]);
});

test("a key that another replica's account has can be registered", async () => {
  const { here, there } = await ownedElsewhere();
  const headers = { "X-Service-Key": "svc_test_somebody_else", "Content-Type": "application/json" };
  const body = JSON.stringify({ key: there.key });
  const reply = await read(await fetch(`${here.baseUrl}/_sandbox/keys`, { method: "POST", headers, body }));
  expect([reply.status, reply.body.key]).toEqual([201, there.key]);
});

/** Adds an owner that accepts connections and never answers. Its lease is not renewed, and lasts an hour. */
async function addSilentReplica(database: TestDatabase, id: string): Promise<{ isAsked(): boolean }> {
  let isAsked = false;
  const server = createServer(() => {
    isAsked = true;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await addReplica(database, id, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { isAsked: () => isAsked };
}

test("a request whose owners stop one after the other is refused, and does not wait for the lease of each", async () => {
  const database = await freshDatabase();
  const [replica] = await startReplicasHere(database, 1);
  const account = replica.account();
  const [first, second] = [
    await addSilentReplica(database, "first"),
    await addSilentReplica(database, "second"),
  ];
  const { id } = (await call(account, "GET", "/_sandbox/account")).body;
  await giveAccount(database, id, "first");
  await startPhone(account);
  const asking = call(account, "GET", "/v1/balance");
  await until("the request has reached the first owner", first.isAsked);
  await giveAccount(database, id, "second");
  await endReplica(database, { id: "first" });
  const { status, headers } = await asking;
  expect([status, headers.get("retry-after"), second.isAsked()]).toEqual([503, "1", true]);
});

test("uploads, long polls and streams are forwarded", async () => {
  const { here, there } = await ownedElsewhere();
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(2 * 1024 * 1024)]), "large.docx");
  const sendForm = async (account: SandboxAccount) =>
    read(await account.fetch("/v1/tools/docx-to-pdf", { method: "POST", body: form }));
  const [forwarded, direct] = [await sendForm(here), await sendForm(there)];
  expect([forwarded.status, forwarded.body.error.code]).toEqual([direct.status, direct.body.error.code]);
  const stream = await here.fetch("/_sandbox/stream", {});
  const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain("event: clock");
  const waiting = here.inbox.wait({ to: "+2348099999999" });
  await post(there, "/v1/phone/verify/start", { phone: "+2348099999999" });
  expect((await waiting).to).toBe("+2348099999999");
  let seen = "";
  while (!seen.includes("event: activity")) seen += (await reader.read()).value;
  await reader.cancel();
});

test("a fault that resets the connection resets that of the client", async () => {
  const { here, there } = await ownedElsewhere();
  await there.rules.add({ on: "startPhoneVerification", fault: { reply: "reset_before" }, times: 1 });
  await expect(startPhone(here)).rejects.toThrow("fetch failed");
  expect((await startPhone(here)).status).toBe(201);
});

test("a replica that stops hands its accounts over, with their jobs and webhooks", async () => {
  const database = await freshDatabase();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const [first, second] = await startReplicasHere(database, 2);
  const account = first.account();
  await post(account, "/v1/webhooks", { url: receiver.url });
  const { body } = await startPhone(account);
  await first.close();
  const there = second.account({ key: account.key });
  expect((await call(there, "GET", `/_sandbox/records/${body.id}`)).status).toBe(200);
  const since = (await call(there, "GET", "/_sandbox/requests")).headers.get("x-sandbox-log-since");
  expect(since).toMatch(/^\d{4}-/);
  await there.events.trigger("payout.paid");
  await until("the webhook has arrived", () => receiver.received.length > 0);
});

test("a webhook that falls due while no replica has the account is sent, without a request", async () => {
  const database = await freshDatabase();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const [first, second] = await startReplicasHere(database, 2);
  const account = first.account();
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.rules.add({ on: "payout.paid", webhook: { delay: "1s" } });
  const { id } = await account.events.trigger("payout.paid");
  await first.close();
  await until("the webhook has arrived", () => receiver.received.length > 0);
  expect(JSON.parse(String(receiver.received[0]?.body)).id).toBe(id);
  const { replicas } = (await call(second.account(), "GET", "/_sandbox/accounts")).body;
  expect(replicas.map(({ url }: { url: string }) => url)).toEqual([second.url]);
});

test("replicas reach each other at the URL of --replica-url, path included", async () => {
  const database = await freshDatabase();
  const seen: (string | undefined)[] = [];
  const gateway = createServer((request, response) => {
    seen.push(request.url);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  onTestFinished(() => void gateway.close());
  const replicaUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/replica-1`;
  const owner = await startSandbox({ store: database.url, replicaUrl });
  onTestFinished(() => owner.close());
  const [other] = await startReplicasHere(database, 1);
  const there = owner.account();
  await startPhone(there);
  await other.account({ key: there.key }).fetch("/v1/balance?page=1", {});
  expect(seen).toEqual(["/replica-1/v1/balance?page=1"]);
});

test("a request reaches its owner with the headers and the end of its body that it was sent with", async () => {
  const database = await freshDatabase();
  const seen: unknown[] = [];
  const gateway = createServer(async (incoming, response) => {
    const { "transfer-encoding": coding, "content-length": length } = incoming.headers;
    const kept = incoming.rawHeaders.filter((name) => /^(?:Host|X-TWO)$/.test(name));
    seen.push([incoming.method, coding, length, (await incoming.toArray()).join(""), kept]);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  onTestFinished(() => void gateway.close());
  const replicaUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const owner = await startSandbox({ store: database.url, replicaUrl });
  onTestFinished(() => owner.close());
  const [other] = await startReplicasHere(database, 1);
  const there = owner.account();
  await startPhone(there);
  const send = async (method: string, path: string, headers: object, body?: string) => {
    const sent = request(other.url + path, {
      method,
      headers: { "X-Service-Key": there.key, "X-TWO": ["a", "b"], ...headers },
    });
    // Node sends a request without a body in chunks, as few other clients do.
    sent.useChunkedEncodingByDefault = false;
    sent.end(body);
    const [response] = await once(sent, "response");
    await finished(response.resume());
  };
  await send("GET", "/v1/balance", {});
  await send("DELETE", "/_sandbox/rules/rule_1", { "Transfer-Encoding": "chunked" }, "{}");
  await send("PATCH", "/_sandbox/account", {});
  await send("PUT", "/_sandbox/snapshot", { "Content-Length": 4, "Content-Type": "text/plain" }, "naï");
  const kept = ["X-TWO", "X-TWO", "Host"];
  expect(seen).toEqual([
    ["GET", undefined, undefined, "", kept],
    ["DELETE", "chunked", undefined, "{}", kept],
    ["PATCH", undefined, "0", "", kept],
    ["PUT", undefined, "4", "naï", kept],
  ]);
});

test.each(["x 1 evil.example https://evil.example", "", "1"])(
  "a client that claims to be a replica (%j) is refused, whoever owns the account",
  async (claim) => {
    const { here, there } = await ownedElsewhere();
    const headers = { "X-Standin-Forwarded": claim };
    for (const account of [here, there])
      for (const [method, path] of [
        ["GET", "/v1/balance"],
        ["GET", "/_sandbox/account"],
        ["GET", "/docs"],
      ] as const) {
        const { status, body } = await call(account, method, path, undefined, headers);
        expect([path, status, body.error?.code, body.error?.param]).toEqual([
          path,
          403,
          "forbidden_origin",
          "X-Standin-Forwarded",
        ]);
      }
    const { items } = (await call(there, "GET", "/_sandbox/requests")).body;
    expect(items.map(({ path }: { path: string }) => path)).toEqual(["/v1/phone/verify/start"]);
  },
);

test("without other replicas, the header of forwarded requests has no effect", async () => {
  const sandbox = await startSandbox({ validateReplies: true });
  onTestFinished(() => sandbox.close());
  const address = { full_name: "Ada Obi", address: "12 Allen Avenue, Ikeja, Lagos", country: "NG" };
  const { status, body } = await call(sandbox.account(), "POST", "/v1/verify/address", address, {
    "X-Standin-Forwarded": "x 1 evil.example https://evil.example",
  });
  expect([status, body.confirm_url.startsWith(`${sandbox.url}/confirm/`)]).toEqual([201, true]);
});

test("a request that was forwarded too often is refused", async () => {
  const { here, database } = await ownedElsewhere();
  // The replicas seem to own each other's accounts: neither would ever answer.
  await pointReplicasTo(database, here.baseUrl);
  const reply = await startPhone(here);
  expect([reply.status, reply.body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(reply.headers.get("retry-after")).toBe("1");
});

test("a replica starts with a scenario to load, and with fixed settings, while another one owns the account", async () => {
  const { url: store } = await freshDatabase();
  const load = "payout-rejected";
  const options = { store, load, code: "123456", warn: () => {} };
  const owner = await startSandbox(options);
  onTestFinished(() => owner.close());
  const records = () => call(owner.account({ key: testKey }), "GET", "/_sandbox/machines/payment/records");
  const before = (await records()).body.items;
  const other = await startSandbox(options);
  onTestFinished(() => other.close());
  expect(before.length).toBeGreaterThan(0);
  expect((await records()).body.items).toEqual(before);
});
