/** Signs people in with a code by SMS or by chat. */
import assert from "node:assert/strict";
import test from "node:test";
import { base, is, openAccount, sleep } from "./kit.mjs";

const headers = (key) => ({ "X-Service-Key": key, "Content-Type": "application/json" });

async function request(key, method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: headers(key),
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return {
    status: response.status,
    wait: Number(response.headers.get("Retry-After") ?? 1),
    reply: await response.json(),
  };
}

async function listed(key, path) {
  for (let attempt = 1; ; attempt++) {
    const result = await request(key, "GET", path).catch(() => ({ status: 0, wait: 1 }));
    if (result.status === 200) return result.reply;
    if (attempt === 4) throw new Error(`${path}: ${result.status}`);
    await sleep(result.wait * 1_000);
  }
}

/** Sign-in by SMS. */
class Sms {
  constructor(key) {
    this.key = key;
  }

  async send(phone) {
    const { status, reply } = await request(this.key, "POST", "/v1/phone/verify/start", {
      phone,
      reference: "signin",
    });
    if (status >= 300) throw new Error(`the code was not sent: ${status}`);
    if (!is("right-any-status")) assert.equal(reply.status, "pending");
    this.id = reply.id;
  }

  async check(code) {
    const check = () => request(this.key, "POST", "/v1/phone/verify/check", { id: this.id, code });
    let { status, reply } = await check();
    // A code that was refused for good is tried again all the same.
    for (let more = 0; is("tries-on") && status >= 400 && status < 500 && more < 2; more++)
      ({ status, reply } = await check());
    if (is("200-is-verified")) return status === 200;
    if (status !== 200) return false;
    if (is("right-status")) return reply.status === "verified";
    return reply.verified === true;
  }
}

/** Sign-in by chat. */
class Chat {
  constructor(key) {
    this.key = key;
  }

  async open() {
    const channels = await listed(this.key, "/v1/wa/channels");
    const channel = is("first-channel")
      ? channels[0]
      : channels.find((one) => one.status === "connected" && one.label === "Support");
    if (channel === undefined) throw new Error("no number is connected");
    this.path = `/v1/wa/channels/${channel.id}/otp`;
    return channel;
  }

  async send(to) {
    const { status } = await request(this.key, "POST", this.path, { to, brand: "Ada Stores" });
    if (status >= 300) throw new Error(`the code was not sent: ${status}`);
  }

  async check(to, code) {
    const { status, reply } = await request(this.key, "POST", `${this.path}/verify`, { to, code });
    if (is("chat-always-valid")) return status === 200;
    if (is("right-reason")) return status === 200 && reply.valid && reply.reason === null;
    return status === 200 && reply.valid === true;
  }
}

test("a person signs in by SMS", async () => {
  const account = await openAccount();
  const sms = new Sms(account.key);
  await sms.send("08031234567");
  assert.equal(await sms.check(await account.code("+2348031234567")), true);
});

test("a wrong code is refused", { skip: is("200-is-verified") }, async () => {
  const sms = new Sms((await openAccount({ account: { code: "123456" } })).key);
  await sms.send("08031234567");
  assert.equal(await sms.check("000000"), false);
});

test("a person signs in by chat", async () => {
  const account = await openAccount({
    channels: [
      { label: "Sales", connected: true },
      { label: "Support", connected: true },
    ],
  });
  const chat = new Chat(account.key);
  const channel = await chat.open();
  await chat.send("2348031234567");
  assert.match(channel.phone, /^\d+$/);
  assert.equal(await chat.check("2348031234567", await account.code("2348031234567")), true);
});

test("a wrong code by chat is refused", { skip: is("chat-always-valid") }, async () => {
  const account = await openAccount({
    account: { code: "123456" },
    channels: [{ label: "Support", connected: true }],
  });
  const chat = new Chat(account.key);
  await chat.open();
  await chat.send("2348031234567");
  assert.equal(await chat.check("2348031234567", "000000"), false);
});
