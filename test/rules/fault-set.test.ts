/** Faults that change what a reply says: values by path, and the order of fields. */
import { afterEach, expect, test } from "vitest";
import { openShop } from "../service/business/shop.js";
import { call, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

test("a rule replaces and adds values of a reply, and the header names their paths", async () => {
  const account = sandbox.account();
  await account.rules.add({
    on: "getBalance",
    fault: { set: { balance: 5, "more.deep": 1, neu: { ä: 1 } } },
  });
  const { body, headers } = await call(account, "GET", "/v1/balance");
  expect(body).toMatchObject({ balance: 5, currency: "NGN", neu: { ä: 1 } });
  expect(body).not.toHaveProperty("more");
  expect(headers.get("X-Sandbox-Fault")).toBe("set=balance more.deep neu");
  expect(Number(headers.get("Content-Length"))).toBe(Buffer.byteLength(JSON.stringify(body)));
  const [entry] = await account.requests.list({ operation: "getBalance" });
  expect(JSON.parse(entry?.reply as string)).toMatchObject({ balance: 5 });
});

test("* stands for every element of a list, and the state is as it was", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  await shop.transfer(5_000);
  await shop.transfer(6_000);
  const rule = await account.rules.add({
    on: "listPayments",
    fault: { set: { "payments.*.status": "held", "payments.*.nothing.here": 1 } },
  });
  expect((await shop.payments()).map(({ status }) => status)).toEqual(["held", "held"]);
  await account.rules.remove(rule.id);
  expect((await shop.payments()).map(({ status, nothing }) => [status, nothing])).toEqual([
    ["success", undefined],
    ["success", undefined],
  ]);
});

test("where says which elements of a list, and which replies, are changed", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  for (const naira of [5_000, 6_000.05]) await shop.transfer(naira);
  const where = { "payments.*.status": "success" };
  const rule = await account.rules.add({
    on: "listPayments",
    fault: { set: { "payments.*.status": "held", "payments.*.amount": 1 }, where },
  });
  const statuses = async () => (await shop.payments()).map(({ status, amount }) => [status, amount]).sort();
  expect(await statuses()).toEqual([
    ["failed", 6_000.05],
    ["held", 1],
  ]);
  await account.rules.remove(rule.id);
  for (const [currency, expected] of [
    ["NGN", 7],
    ["USD", 1_000_000],
  ] as const) {
    const { id } = await account.rules.add({
      on: "getBalance",
      fault: { set: { balance: 7 }, where: { currency } },
    });
    expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(expected);
    await account.rules.remove(id);
  }
});

test("where needs a set", async () => {
  const { rules } = sandbox.account();
  const where = { "payments.*.status": "success" };
  await expect(rules.add({ on: "listPayments", fault: { latency: "1ms", where } })).rejects.toThrow(
    "fault.where: needs a set, whose values it is about.",
  );
});

test("a refusal and a file are as they were, and a field may have any name", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "*", fault: { set: { error: "no", ["__proto__"]: 7 } } });
  const { status, body } = await call(account, "POST", "/v1/verify/bvn", {});
  expect([status, body.error.code]).toEqual([400, "missing_field"]);
  const reply = await account.fetch("/v1/balance");
  expect(await reply.text()).toMatch(/"error":"no","__proto__":7\}$/);
  const logo = await call(account, "POST", "/v1/tools/generate-logo", {
    company_name: "Ada Stores",
    style: "badge",
    primary_color: "#0F766E",
    secondary_color: "#F59E0B",
    size: 256,
  });
  expect(logo.status).toBe(200);
});

test("a path through what every object inherits sets nothing, in the reply and in the process", async () => {
  const account = sandbox.account();
  const inherited = ["__proto__", "constructor", "toString", "constructor.prototype"];
  const paths = inherited.flatMap((name) => [
    `${name}.body`,
    `*.${name}.z`,
    `currency.${name}.z`,
    `lists.0.${name}.z`,
  ]);
  const before = Reflect.ownKeys(Object.prototype);
  for (const path of paths) {
    const { id } = await account.rules.add({ on: "getBalance", fault: { set: { [path]: 1 } } });
    const { status, body } = await call(account, "GET", "/v1/balance");
    expect([path, status, Object.keys(body)]).toEqual([path, 200, Object.keys(await plainBalance())]);
    await account.rules.remove(id);
  }
  expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  expect(
    (await call(sandbox.account(), "POST", "/v1/phone/verify/start", { phone: "08031234567" })).status,
  ).toBe(201);
});

const plainBalance = async () => (await call(sandbox.account(), "GET", "/v1/balance")).body;

test("the fields of a reply come in reverse order, those of objects in lists as well", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  await shop.transfer(5_000);
  const plain = await (await account.fetch("/v1/business/payments")).json();
  await account.rules.add({ on: "listPayments", fault: { reply: "reordered" } });
  const reply = await account.fetch("/v1/business/payments");
  const reordered = (await reply.json()) as { payments: object[] };
  expect(reply.headers.get("X-Sandbox-Fault")).toBe("reply=reordered");
  expect(reordered).toEqual(plain);
  const names = (body: { payments: object[] }) => body.payments.map((payment) => Object.keys(payment));
  expect(names(reordered)).toEqual(names(plain as typeof reordered).map((one) => one.reverse()));
});

test("the items of lists come in reverse order, and the fields stay as they are", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  for (const amount of [5_000, 6_000]) await shop.transfer(amount);
  const list = async () => {
    const { body } = await call(account, "GET", "/v1/business/payments");
    return body.payments as object[];
  };
  const plain = await list();
  await account.rules.add({ on: "listPayments", fault: { reply: "reversed_lists" } });
  expect(JSON.stringify(await list())).toBe(JSON.stringify([...plain].reverse()));
});

test("a request whose reply is timeout_after takes effect, and the reply is a plain 504", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  await account.rules.add({ on: "createVirtualAccount", fault: { reply: "timeout_after" }, times: 1 });
  const customer = { customer_name: "Ada Obi", customer_email: "ada@example.com", reference: "c-1" };
  const { status, body } = await shop.ask("POST", "/virtual-accounts", customer);
  expect([status, body.error.code]).toEqual([504, "provider_timeout"]);
  const { body: listed } = await shop.ask("GET", "/virtual-accounts");
  expect(listed.accounts).toMatchObject([{ reference: "c-1" }]);
  const [entry] = await account.requests.list({ operation: "createVirtualAccount" });
  expect(entry).toMatchObject({ status: 201, fault: "reply=timeout_after" });
});

test("an empty set is refused, and so is one that is no object", async () => {
  const account = sandbox.account();
  for (const set of [{}, [], "verified"]) {
    const { status, body } = await call(account, "POST", "/_sandbox/rules", {
      on: "getBalance",
      fault: { set },
    });
    expect([status, body.error.code]).toEqual([400, "validation_error"]);
    expect(body.error.param).toBe("fault.set");
  }
});
