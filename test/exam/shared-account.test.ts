/** Suites whose tests share an account: what happens once would meet the first of them alone. */
import { expect, test } from "vitest";
import { check, examineOnly, given, idsOf, settled } from "./small-clients.js";

test("a reply is lost for each amount, although a test ends early, and the scenario of the finding loses that one alone", async () => {
  const payOut = (again: string) => `${settled}
    const pay = (amount) => post("/v1/business/payouts", { amount });
    await pay(1000).then(() => pay(2000)).catch(() => null);
    await pay(3000).catch(() => ${again});`;
  const lost = "survived/createPayout/reply-lost";
  const [careless, right] = await Promise.all([
    examineOnly(lost, payOut("pay(3000)")),
    examineOnly(lost, payOut("null")),
  ]);
  expect(careless.card.findings.map(({ id, perturbation }) => [id, perturbation])).toEqual([
    [lost, [expect.objectContaining({ on: "createPayout", when: { body: { amount: 3000 } }, times: 1 })]],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: lost, result: "passed" }]);
});

test("of several requests of one amount, more than the first one loses its reply", async () => {
  const payOut = (again: string) => `${settled}
    const pay = (amount) => post("/v1/business/payouts", { amount });
    for (const amount of [1000, 500, 500]) await pay(amount).catch(() => null);
    await pay(500).catch(() => ${again});`;
  const lost = "survived/createPayout/reply-lost";
  const [careless, right] = await Promise.all([
    examineOnly(lost, payOut("pay(500)")),
    examineOnly(lost, payOut("null")),
  ]);
  expect(careless.card.findings).toMatchObject([
    { id: lost, perturbation: [{ when: { body: { amount: 500 } }, after: 2, times: 1 }] },
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a run that is stopped by the state of the account does not send its messages again", async () => {
  const remind = (when: string) => `
    const [{ id }] = await get("/v1/wa/channels");
    const numbers = ["2348031110011", "2348031110012", "2348031110013", "2348031110014"];
    for (const from of numbers) await post("/_sandbox/inbox/reply", { channel_id: id, from, text: "Hello" });
    let sent = [];
    const run = async () => {
      const now = [...sent];
      for (const to of numbers.filter((one) => !sent.includes(one))) {
        const { error } = await post("/v1/wa/channels/" + id + "/send", { to, text: "Come at nine" });
        if (error) return;
        now.push(to);
        ${when} sent = [...now];
      }
      sent = now;
    };
    for (let evening = 1; evening <= 3; evening++) await run();`;
  const refused = "survived/sendChannelMessage/refused-later";
  const [forgetful, right] = await Promise.all([
    examineOnly(refused, remind("if (now.length === numbers.length)")),
    examineOnly(refused, remind("")),
  ]);
  expect(idsOf(forgetful)).toEqual([refused]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: refused, result: "passed" }]);
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
