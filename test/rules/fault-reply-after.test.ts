/** The published shapes of a race that shops lose when a webhook arrives before the reply, each as it was and repaired. */
import { afterEach, describe, expect, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { Shop as Business, customer, profile } from "../service/business/shop.js";
import { registerReceiver } from "../support/receiver.js";
import { post, type Reply, useListeningSandbox } from "../support/sandbox.js";
import { jsonDuring } from "../support/turns.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const on = "createVirtualAccount";
const path = "/v1/business/virtual-accounts";

interface Sent {
  event: string;
  data: { id: string };
}

/** A shop that opens account numbers for its customers and is told when they exist. */
interface Shop {
  /** Handles a webhook and returns the status of the answer. */
  receive(sent: Sent): number;
  open(call: () => Promise<Reply>): Promise<void>;
  /** Ids of the account numbers that the shop knows to be active. */
  active(): string[];
}

/** Saves an account number once it has its id from the reply, and passes over events about others. */
class SavesAfterReply implements Shop {
  readonly saved = new Map<string, "new" | "active">();
  receive({ data: { id } }: Sent): number {
    if (!this.saved.has(id)) return 404;
    this.saved.set(id, "active");
    return 200;
  }
  async open(call: () => Promise<Reply>): Promise<void> {
    const { body } = await call();
    this.saved.set(body.id, "new");
  }
  active = () => [...this.saved].filter(([, state]) => state === "active").map(([id]) => id);
}

class KeepsEarlyEvents extends SavesAfterReply {
  readonly early: Sent[] = [];
  override receive(sent: Sent): number {
    if (super.receive(sent) === 404) this.early.push(sent);
    return 200;
  }
  override async open(call: () => Promise<Reply>): Promise<void> {
    await super.open(call);
    for (const sent of this.early.splice(0)) this.receive(sent);
  }
}

/** Creates the row in whichever comes first, and believes that it is always the reply. */
class InsertsTwice implements Shop {
  readonly rows = new Map<string, "new" | "active">();
  insert(id: string, state: "new" | "active"): void {
    if (this.rows.has(id)) throw new Error("duplicate key value violates unique constraint");
    this.rows.set(id, state);
  }
  receive({ data: { id } }: Sent): number {
    if (this.rows.has(id)) this.rows.set(id, "active");
    else this.insert(id, "active");
    return 200;
  }
  async open(call: () => Promise<Reply>): Promise<void> {
    const { body } = await call();
    this.insert(body.id, "new");
  }
  active = () => [...this.rows].filter(([, state]) => state === "active").map(([id]) => id);
}

class Upserts extends InsertsTwice {
  override insert(id: string, state: "new" | "active"): void {
    if (this.rows.get(id) !== "active") this.rows.set(id, state);
  }
}

/** Holds a lock on the customer during the call, which the handler needs as well. */
class LocksDuringCall implements Shop {
  locked = false;
  readonly rows = new Set<string>();
  receive({ data: { id } }: Sent): number {
    if (this.locked) return 503;
    this.rows.add(id);
    return 200;
  }
  async open(call: () => Promise<Reply>): Promise<void> {
    this.locked = true;
    await call();
    this.locked = false;
  }
  active = () => [...this.rows];
}

class HandlesLater extends LocksDuringCall {
  readonly queue: Sent[] = [];
  override receive(sent: Sent): number {
    if (super.receive(sent) === 503) this.queue.push(sent);
    return 200;
  }
  override async open(call: () => Promise<Reply>): Promise<void> {
    await super.open(call);
    for (const sent of this.queue.splice(0)) this.receive(sent);
  }
}

/** Registers a receiver, which `answer` gives the status of. */
async function receive(account: SandboxAccount, answer: (sent: Sent) => number): Promise<void> {
  await registerReceiver(account, {
    answer: (_count, response, { body }) => response.writeHead(answer(JSON.parse(body.toString()))).end(),
  });
}

async function businessAccount(): Promise<SandboxAccount> {
  const account = sandbox.account();
  await new Business(account).got("PUT", "/profile", profile);
  return account;
}

const open = (account: SandboxAccount): Promise<Reply> => post(account, path, customer);

/** Opens an account number of which the webhook comes first. Returns what went wrong, and what the shop knows. */
async function race(shop: Shop): Promise<{ error: string | null; active: number; firstAnswers: number[] }> {
  const account = await businessAccount();
  const firstAnswers: number[] = [];
  await receive(account, (sent) => {
    const status = shop.receive(sent);
    firstAnswers.push(status);
    return status;
  });
  await account.rules.add({ on, fault: { reply_after: "webhook" } });
  const error = await shop
    .open(() => open(account))
    .then(
      () => null,
      (failed: Error) => failed.message,
    );
  return { error, active: shop.active().length, firstAnswers };
}

const right = { error: null, active: 1, firstAnswers: [200] };

describe("a shop that", () => {
  test("saves the record only after the reply loses the event, unless it keeps early ones", async () => {
    expect(await race(new SavesAfterReply())).toEqual({ error: null, active: 0, firstAnswers: [404] });
    expect(await race(new KeepsEarlyEvents())).toEqual(right);
  });

  test("inserts the row in handler and caller fails on the second one, unless it upserts", async () => {
    const error = "duplicate key value violates unique constraint";
    expect(await race(new InsertsTwice())).toEqual({ error, active: 1, firstAnswers: [200] });
    expect(await race(new Upserts())).toEqual(right);
  });

  test("holds a lock during the call refuses its own webhook, unless it handles it later", async () => {
    expect(await race(new LocksDuringCall())).toEqual({ error: null, active: 0, firstAnswers: [503] });
    expect(await race(new HandlesLater())).toEqual(right);
  });
});

test("the reply names the fault, and the explanation shows it with the attempt that came first", async () => {
  const account = await businessAccount();
  await receive(account, () => 200);
  await account.rules.add({ on, fault: { reply_after: "webhook" } });
  const { status, headers } = await open(account);
  expect([status, headers.get("X-Sandbox-Fault")]).toEqual([201, "reply_after=webhook"]);
  const [entry] = await account.requests.list({ operation: on });
  expect(entry).toMatchObject({ status: 201, fault: "reply_after=webhook" });
  const explained = JSON.stringify(await account.activity.explain(entry?.id as string));
  expect(explained).toContain('"fault":"reply_after=webhook"');
  expect(explained).toMatch(/virtual_account\.created was delivered to http:[^"]*, attempt 1: 200/);
});

describe("the reply does not wait", () => {
  test("if nobody is registered for the event", async () => {
    const account = await businessAccount();
    await account.rules.add({ on, fault: { reply_after: "webhook" } });
    expect((await open(account)).status).toBe(201);
  });

  test("if the operation sends no event", async () => {
    const account = sandbox.account();
    await receive(account, () => 200);
    await account.rules.add({ on: "*", fault: { reply_after: "webhook" } });
    const { status, headers } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    expect([status, headers.get("X-Sandbox-Fault")]).toEqual([201, "reply_after=webhook"]);
  });

  test("if the request is refused", async () => {
    const account = sandbox.account();
    await receive(account, () => 200);
    await account.rules.add({ on, fault: { reply_after: "10m" } });
    expect((await open(account)).body.error.code).toBe("business_profile_required");
  });

  test("for the retries of a webhook that failed", async () => {
    const account = await businessAccount();
    await receive(account, () => 500);
    await account.rules.add({ on, fault: { reply_after: "webhook" } });
    expect((await open(account)).status).toBe(201);
    expect(await account.deliveries.list()).toMatchObject([
      { status: "pending", attempts: [{ status: 500 }] },
    ]);
  });
});

test("a delivery that a rule delays is waited for, until the clock is advanced", async () => {
  const account = await businessAccount();
  await account.clock.freeze();
  const order: string[] = [];
  await receive(account, () => order.push("webhook") && 200);
  await account.rules.add({ on: "virtual_account.created", webhook: { delay: "1h" } });
  await account.rules.add({ on, fault: { reply_after: "webhook" } });
  const replied = open(account).then(() => order.push("reply"));
  await until("the delivery", async () => (await account.deliveries.list()).length === 1);
  await account.advance("1h");
  await replied;
  expect(order).toEqual(["webhook", "reply"]);
});

test("an advance that waits for a receiver does not wait for the webhook of the receiver's own request", async () => {
  const account = await businessAccount();
  await account.clock.freeze();
  await registerReceiver(account, {
    events: ["payout.paid"],
    answer: async (_count, response) => response.writeHead((await open(account)).status).end(),
  });
  await registerReceiver(account, { events: ["virtual_account.created"] });
  await account.rules.add({ on: "payout.paid", webhook: { delay: "1h" } });
  await account.rules.add({ on, fault: { reply_after: "webhook" } });
  await account.events.trigger("payout.paid");
  await account.advance("1h");
  await account.advance("0s");
  const attempts = (await account.deliveries.list()).map(({ event, attempts: [first] }) => [
    event,
    first?.status,
  ]);
  expect(attempts.sort()).toEqual([
    ["payout.paid", 201],
    ["virtual_account.created", 200],
  ]);
});

test("replies that wait for their webhooks cost other requests nothing", async () => {
  const account = await businessAccount();
  await receive(account, () => 200);
  await account.rules.add({ on: "virtual_account.created", hold: "webhook" });
  await account.rules.add({ on, fault: { reply_after: "webhook" } });
  const others = () =>
    jsonDuring(async () => {
      for (let i = 0; i < 20; i++) await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    });
  await others();
  const before = await others();
  const replied = Array.from({ length: 50 }, () => open(account));
  await until("all webhooks", async () => (await account.held.list()).length === 50);
  expect(await others()).toBeLessThan(1.5 * before);
  for (const { id } of await account.held.list()) await account.held.drop(id);
  for (const { status } of await Promise.all(replied)) expect(status).toBe(201);
});

test("a duration holds the reply for that long after the request took effect", async () => {
  const account = await businessAccount();
  await account.rules.add({ on, fault: { reply_after: "150ms" } });
  expect((await open(account)).headers.get("X-Sandbox-Fault")).toBe("reply_after=150ms");
  const [entry] = await account.requests.list({ operation: on });
  expect(entry?.duration_ms).toBeGreaterThan(140);
});

test("a held reply leaves when the sandbox stops", async () => {
  const stopping = await startSandbox();
  const account = stopping.account();
  await account.rules.add({ on: "startPhoneVerification", fault: { reply_after: "10m" } });
  const replied = post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  await account.inbox.wait({ to: "+2348031234567" });
  await stopping.close();
  expect((await replied).status).toBe(201);
});
