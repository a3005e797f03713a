/** Suites whose tests share an account: what happens once would meet the first of them alone. */
import { expect, test } from "vitest";
import { check, examineOnly, given, idsOf, settled } from "./small-clients.js";

test("a reply is lost in the middle of a suite too, and the scenario of the finding loses that one alone", async () => {
  const payOut = (again: string) => `${settled}
    const pay = (amount) => post("/v1/business/payouts", { amount });
    for (const amount of [1000, 2000]) await pay(amount).catch(() => null);
    await pay(3000).catch(() => ${again});`;
  const lost = "survived/createPayout/reply-lost";
  const [careless, right] = await Promise.all([
    examineOnly(lost, payOut("pay(3000)")),
    examineOnly(lost, payOut("null")),
  ]);
  expect(careless.card.findings.map(({ id, perturbation }) => [id, perturbation])).toEqual([
    [lost, [expect.objectContaining({ on: "createPayout", after: 2, times: 1 })]],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: lost, result: "passed" }]);
});

test("every event arrives twice, and not the first alone", async () => {
  const count = (isKnown: string) => `${check} ${given("{ business: {} }")}
    const { createServer } = await import("node:http");
    const seen = new Set();
    let credited = 0;
    const server = createServer(async (request, response) => {
      const { id, event } = JSON.parse(Buffer.concat(await request.toArray()));
      response.end();
      if (event !== "payment.received") return;
      if (!(${isKnown})) credited++;
      seen.add(id);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    await post("/v1/webhooks", { url: "http://127.0.0.1:" + server.address().port + "/" });
    const { id } = await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" });
    for (let payment = 1; payment <= 2; payment++)
      await post("/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5000 });
    await post("/_sandbox/clock/advance", { by: "1m" });
    check(credited === 2);`;
  const twice = "absorbed/payment.received/twice";
  const [careless, right] = await Promise.all([
    // It remembers the first event, and no other.
    examineOnly(twice, count("id === [...seen][0]")),
    examineOnly(twice, count("seen.has(id)")),
  ]);
  expect(idsOf(careless)).toEqual([twice]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a test that breaks off a request by a rule of its own is not asked whether it is made", async () => {
  const payOut = (rule: string) => `${check} ${settled} ${rule}
    const reply = await post("/v1/business/payouts", { amount: 7000 }).catch(() => ({ status: "unknown" }));
    check(reply.status);`;
  const made = "noticed/createPayout/not-made";
  const [careless, ruled] = await Promise.all([
    examineOnly(made, payOut("")),
    examineOnly(
      "noticed",
      payOut(`await post("/_sandbox/rules", { on: "createPayout", fault: { latency: "1ms" }, times: 1 });`),
    ),
  ]);
  expect(idsOf(careless)).toEqual([made]);
  expect(ruled.card.tried.map(({ id }) => id)).not.toContain(made);
});
