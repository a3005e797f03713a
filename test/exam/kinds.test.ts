/** Kinds of bugs that an exam finds and of right clients that it leaves alone, one command each, as small as they can be. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram, temporaryFolder } from "../support/program.js";
import { client, examine } from "./corpus.js";
import { check, examineOnly, given, idsOf, payIn, person, receiver, settled } from "./small-clients.js";

test("a verdict that the client never reads is found, and a client that reads one of its fields is left alone", async () => {
  const lookUp = `${check} const record = await post("/v1/verify/bvn", ${person});`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/verifyBvn/no_match", `${lookUp} check(record.status === "success");`),
    examineOnly("noticed/verifyBvn", `${lookUp} check(record.match === true);`),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/verifyBvn/no_match"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a wrong code is never answered with a right verdict, and a right one is answered as a wrong one is", async () => {
  const checks = `${check} ${given(`{ account: { code: "123456" } }`)}
    const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
    const wrong = await post("/v1/phone/verify/check", { id, code: "000000" });
    check(wrong.verified !== true);
    const reply = await post("/v1/phone/verify/check", { id, code: "123456" });`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/checkPhoneVerification/wrong-code", `${checks} check(reply.id === id);`),
    examineOnly("noticed/checkPhoneVerification/wrong-code", `${checks} check(reply.status === "verified");`),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/checkPhoneVerification/wrong-code"]);
  expect(careless.card.findings[0]?.perturbation).toEqual([
    {
      on: "checkPhoneVerification",
      fault: { set: { verified: false, status: "pending" }, where: { verified: true } },
    },
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("two suites whose tests run in another order have the same findings, also if the first list is empty", async () => {
  const known = `["id","method","status","amount","fee","net","payer_name","virtual_account_id","test","paid_at"]`;
  const as = "const as = (own) => (...asked) => askAs(own, ...asked);";
  const read = `for (const row of (await send("GET", "/v1/business/payments")).payments)
    for (const name of Object.keys(row)) if (!${known}.includes(name)) process.exit(1);`;
  const tests = [
    `await send("POST", "/_sandbox/scenarios", { name: "set-up", given: { payments: [{ amount: 20000 }] } }); ${read}`,
    read,
    `if ((await send("POST", "/v1/verify/bvn", ${person})).status !== "success") process.exit(1);`,
    `if (!(await send("POST", "/v1/phone/verify/start", { phone: "08031234567" })).id) process.exit(1);`,
  ].map((code, index) => `{ const send = as("svc_test_order_${index}"); ${code} }`);
  const only = "absorbed/listPayments/unknown-field,noticed";
  const [one, other] = await Promise.all([
    examineOnly(only, [as, ...tests].join("\n")),
    examineOnly(only, [as, ...tests.toReversed()].join("\n")),
  ]);
  // Which account is the first depends on the order.
  const nameOf = (id: string) => id.replace(/(first|second|third)-account$/, "account");
  const judged = ({ card }: typeof one) =>
    [
      ...card.tried.map(({ id, result }) => [nameOf(id), result]),
      ...card.not_tried.map(({ id, reason }) => [nameOf(id), reason]),
    ].sort();
  expect(idsOf(one)).toEqual(
    expect.arrayContaining(["absorbed/listPayments/unknown-field", "noticed/verifyBvn/no_match"]),
  );
  expect(idsOf(other).sort()).toEqual(idsOf(one).sort());
  expect(judged(other)).toEqual(judged(one));
});

test("a suite that resets its account before each test is examined by all of its tests", async () => {
  const reset = `await post("/_sandbox/reset");`;
  const { card } = await examineOnly(
    "noticed/verifyBvn/no_match,absorbed/getBalance/rate-limited",
    `const { status } = await post("/v1/verify/bvn", ${person}); if (status !== "success") process.exit(1);
    ${reset} if (!(await get("/v1/balance")).balance) process.exit(1);
    ${reset} await get("/v1/pricing");`,
  );
  expect(card.baseline.operations).toEqual(["getBalance", "getPricing", "verifyBvn"]);
  expect(card.findings.map(({ id }) => id).sort()).toEqual([
    "absorbed/getBalance/rate-limited",
    "noticed/verifyBvn/no_match",
  ]);
});

test("a receiver that takes forged webhooks is found for each way in which they are forged", async () => {
  const pay = `${given("{ business: {} }")}
    await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" });
    await until(() => seen.length > 0);`;
  const forgeries = ["changed-first", "forged-first", "short-first", "unsigned-first"]
    .map((name) => `absorbed/virtual_account.created/${name}`)
    .join();
  const lax = `${receiver("() => 200")} ${pay}`;
  const strict = `${receiver("(body, signature) => (isGenuine(body, signature) ? 200 : 401)")} ${pay}`;
  const [careless, right] = await Promise.all([examineOnly(forgeries, lax), examineOnly(forgeries, strict)]);
  expect(idsOf(careless).sort().join()).toBe(forgeries);
  for (const { evidence } of careless.card.findings) expect(evidence.join()).toContain("accepted-forgery");
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a payout that is always refused is noticed by a test, or is a finding", async () => {
  const payOut = `${check} ${settled} const payout = await post("/v1/business/payouts", { amount: 7000 });`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/createPayout/refused", payOut),
    examineOnly("noticed/createPayout/refused", `${payOut} check(payout.id);`),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/createPayout/refused"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a payout that took effect although its reply says 504 is not made again", async () => {
  const payOut = `${settled} const payout = await post("/v1/business/payouts", { amount: 7000 });`;
  const [careless, right] = await Promise.all([
    examineOnly(
      "survived/createPayout/timeout-after",
      `${payOut} if (payout.error?.code === "provider_timeout") await post("/v1/business/payouts", { amount: 7000 });`,
    ),
    examineOnly("survived/createPayout/timeout-after", payOut),
  ]);
  expect(idsOf(careless)).toEqual(["survived/createPayout/timeout-after"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("what is refused for good stays refused, without a time to come back", async () => {
  const code = `${given(`{ account: { code: "123456" } }`)}
    const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
    for (let i = 0; i < 3; i++)
      if (!(await post("/v1/phone/verify/check", { id, code: "12345" + (6 + i) })).error) break;`;
  const locked = "survived/checkPhoneVerification/too_many_attempts";
  const { card } = await examineOnly(locked, code, ["--assume", "phone.ended=refused"]);
  expect(card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    [locked, expect.stringContaining("stale-code")],
  ]);
  expect(JSON.stringify(card.findings[0]?.perturbation)).not.toContain("retry_after");
  // Without the assumption, the reply says that the code is locked, and no error.
  await expect(examineOnly(locked, code)).rejects.toThrow("nothing that the command does is called");
});

test("amounts that a client does not read ask nothing of it, and all that it reads are tried", async () => {
  const accounts = `${given(`{ payments: [{ amount: 20000 }] }`)} const { accounts } = await get("/v1/business/virtual-accounts");`;
  const [unread, read] = await Promise.all([
    examineOnly(
      "noticed/listVirtualAccounts/money",
      `${accounts} if (accounts.length !== 1) process.exit(1);`,
    ),
    examineOnly(
      "noticed/listVirtualAccounts/money",
      `${accounts} console.log(accounts[0].total_received.toFixed(2));`,
    ),
  ]);
  expect(unread.card.not_tried.map(({ id, reason }) => [id, reason])).toEqual([
    ["noticed/listVirtualAccounts/money", "not read"],
  ]);
  expect(unread.card.findings).toEqual([]);
  expect(idsOf(read)).toEqual(["noticed/listVirtualAccounts/money"]);
});

test("payments are held and fail while the tests look on, and what is held is not paid", async () => {
  const { card, code } = await examineOnly(
    "simulatePayment",
    `${given("{ business: {} }")}
    ${payIn}`,
  );
  expect(card.tried.map(({ id }) => id)).toEqual(
    ["failed", "held", "issue", "pending"].map((name) => `survived/simulatePayment/${name}`),
  );
  expect(code).toBe(0);

  const payments = `${check} ${given(`{ payments: [{ amount: 20000 }] }`)} const { payments } = await get("/v1/business/payments");`;
  const paid = await examineOnly(
    "noticed/listPayments/held",
    `${payments} check(payments[0].amount === 20000);`,
  );
  expect(idsOf(paid)).toEqual(["noticed/listPayments/held"]);
});

test("a webhook with less money is noticed, unless the client reads what has come in", async () => {
  const pay = `${given("{ business: {} }")}
    ${payIn}
    await until(() => seen.some(({ event }) => event === "payment.received"));`;
  const listen = receiver("(body, signature) => (isGenuine(body, signature) ? 200 : 401)");
  const [careless, right] = await Promise.all([
    examineOnly("noticed/payment.received/less", `${listen} ${pay}`),
    examineOnly("noticed/payment.received/less", `${listen} ${pay} await get("/v1/business/payments");`),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/payment.received/less"]);
  expect(idsOf(right)).toEqual([]);
});

test("a client that takes every end of a payout for a good one is found", async () => {
  const listen = receiver("(body, signature) => (isGenuine(body, signature) ? 200 : 401)");
  const payOut = (
    isEnd: string,
  ) => `${listen} ${settled} await post("/v1/business/payouts", { amount: 7000 });
    await post("/_sandbox/clock/advance", { by: "5m" });
    await until(() => seen.some(({ event }) => ${isEnd}));`;
  const [careless, right] = await Promise.all([
    examineOnly(
      "noticed/createPayout",
      payOut(`event.startsWith("payout.") && event !== "payout.requested"`),
    ),
    examineOnly("noticed/createPayout", payOut(`event === "payout.paid"`)),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/createPayout/failed", "noticed/createPayout/rejected"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("work on a webhook that was cut short is done when the webhook comes again, or is a finding", async () => {
  const share = (before: string, after: string) => `const handled = new Set();
    ${settled} ${receiver(`async (body, signature) => {
      if (!isGenuine(body, signature)) return 401;
      const { event, data } = JSON.parse(body);
      if (event !== "payment.received" || handled.has(data.id)) return 204;
      ${before}
      if ((await post("/v1/business/payouts", { amount: 7000 })).error) return 500;
      ${after}
      return 204;
    }`)}
    ${payIn}
    await until(() => seen.some(({ event }) => event === "payout.requested"));
    await askAs("svc_test_other", "POST", "/v1/business/payouts", { amount: 7000 });`;
  const interrupted = "absorbed/createPayout/interrupted";
  const [careless, right] = await Promise.all([
    examineOnly(interrupted, share("handled.add(data.id);", "")),
    examineOnly(interrupted, share("", "handled.add(data.id);")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [interrupted, ["The command failed (exit code 1)."]],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried.map(({ id, result }) => [id, result])).toEqual([[interrupted, "passed"]]);
});

test("work that was refused to every attempt of a client is done when the webhook comes again, or is a finding", async () => {
  const credit = (before: string, after: string, attempts: number) => `const handled = new Set();
    const list = async () => {
      for (let attempt = 1; ; attempt++) {
        const { payments } = await get("/v1/business/payments");
        if (payments || attempt === ${attempts}) return payments;
        await new Promise((go) => setTimeout(go, 50));
      }
    };
    ${given("{ business: {} }")} ${receiver(`async (body) => {
      const { event, data } = JSON.parse(body);
      if (event !== "payment.received" || handled.has(data.id)) return 204;
      ${before}
      if (!(await list())) return 500;
      ${after}
      credited.push(data.id);
      return 204;
    }`)}
    const credited = [];
    ${payIn}
    await post("/_sandbox/clock/advance", { by: "1s" });
    await until(() => credited.length > 0);`;
  const often = "absorbed/listPayments/interrupted-often";
  const [careless, right, impatient] = await Promise.all([
    examineOnly(often, credit("handled.add(data.id);", "", 4)),
    examineOnly(often, credit("", "handled.add(data.id);", 4)),
    // It answers 500 until its test gives up: the event would come once more.
    examineOnly(often, credit("", "handled.add(data.id);", 1)),
  ]);
  expect(idsOf(careless)).toEqual([often]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect([idsOf(impatient), impatient.code]).toEqual([[], 0]);
  expect(impatient.card.tried.map(({ id, result }) => [id, result])).toEqual([[often, "passed"]]);
});

test("a write that was refused to every attempt is made when the webhook comes again, or is left to a person", async () => {
  const share = (before: string, after: string, ofRefusal: number) => `const handled = new Set();
    ${settled} ${receiver(`async (body) => {
      const { event, data } = JSON.parse(body);
      if (event !== "payment.received" || handled.has(data.id)) return 204;
      ${before}
      for (let attempt = 1; attempt < 3; attempt++) {
        if (!(await post("/v1/business/payouts", { amount: 7000 })).error) { ${after} return 204; }
        await new Promise((go) => setTimeout(go, 50));
      }
      return ${ofRefusal};
    }`)}
    ${payIn}
    await post("/_sandbox/clock/advance", { by: "10m" });
    await until(() => seen.some(({ event }) => event === "payout.requested"));`;
  const often = "absorbed/createPayout/interrupted-often";
  const [careless, right, toAPerson] = await Promise.all([
    examineOnly(often, share("handled.add(data.id);", "", 500)),
    examineOnly(often, share("", "handled.add(data.id);", 500)),
    examineOnly(often, share("handled.add(data.id);", "", 204)),
  ]);
  expect(idsOf(careless)).toEqual([often]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect([idsOf(toAPerson), toAPerson.code]).toEqual([[], 0]);
  expect(toAPerson.card.tried.map(({ id, result }) => [id, result])).toEqual([[often, "passed"]]);
});

test("a receiver to which a request breaks off goes on, or is a finding", async () => {
  const pay = `${given("{ business: {} }")}
    await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" });
    await until(() => seen.length > 0);`;
  const hear = `${receiver("() => 200")} ${pay}`;
  const cutOff = "absorbed/virtual_account.created/cut-off";
  const [careless, right] = await Promise.all([
    examineOnly(cutOff, hear.replace(".catch(() => null)", "")),
    examineOnly(cutOff, hear),
  ]);
  expect(idsOf(careless)).toEqual([cutOff]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a client that uses null as if it were a score is found, and one whose tests miss the score is left alone", async () => {
  const audits = `await post("/v1/audits", { url: "https://example.com" }); const audits = await get("/v1/audits");`;
  const [careless, right] = await Promise.all([
    examineOnly(
      "survived/listAudits/null",
      `${audits} for (const { score } of audits) console.log(score.toFixed(0));`,
    ),
    examineOnly(
      "survived/listAudits/null",
      `${check} ${audits} check(audits.filter(({ score }) => score !== null).length === 1);`,
    ),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    ["survived/listAudits/null", expect.stringContaining("The command failed on null: TypeError")],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a client that reads the time of a payment that failed is found, and one that reads its status first is not", async () => {
  const days = (isCounted: string) => `${check} ${given(`{ payments: [{ amount: 20000 }] }`)}
    const { payments } = await get("/v1/business/payments");
    check(payments.filter(({ status, paid_at }) => ${isCounted}).length === 1);`;
  const unpaid = "survived/listPayments/unpaid";
  const [careless, right] = await Promise.all([
    examineOnly(unpaid, days(`paid_at.startsWith("2") && status === "success"`)),
    examineOnly(unpaid, days(`status === "success" && paid_at.startsWith("2")`)),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    [unpaid, expect.stringContaining("The command failed on null: TypeError")],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a match that is null is not taken for a confirmation, and one that nothing reads is not asked about", async () => {
  const admit = (isIn: string) => `${check}
    const isIn = ({ match, data }) => ${isIn};
    check(isIn(await post("/v1/verify/bvn", ${person})));`;
  const unconfirmed = "noticed/verifyBvn/unconfirmed";
  const [careless, strict, other] = await Promise.all([
    examineOnly(unconfirmed, admit("match !== false")),
    examineOnly(unconfirmed, admit("match === true")),
    examineOnly("noticed/verifyBvn", admit(`data.gender !== "none"`)),
  ]);
  expect(idsOf(careless)).toEqual([unconfirmed]);
  expect([idsOf(strict), strict.code]).toEqual([[], 0]);
  expect(idsOf(other)).not.toContain(unconfirmed);
});

test("a score of a selfie that nothing compares is found, and so is a limit that is too low", async () => {
  const selfie = (isLive: string) => `${check} const form = new FormData();
    form.set("file", new Blob([Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64")], { type: "image/png" }), "selfie.png");
    const reply = await fetch(base + "/v1/verify/liveness", { method: "POST", headers: { "X-Service-Key": key }, body: form });
    const { status, confidence_score: score } = await reply.json();
    check(${isLive});`;
  const names = ["nearly-live", "spoof"].map((name) => `noticed/verifyLiveness/${name}`);
  const examineSelfie = (isLive: string) => examineOnly(names.join(), selfie(isLive));
  const [blind, lenient, right] = await Promise.all([
    examineSelfie(`status === "success"`),
    examineSelfie("score >= 70"),
    examineSelfie("score >= 75"),
  ]);
  expect(idsOf(blind).sort()).toEqual(names);
  expect(idsOf(lenient)).toEqual(names.slice(0, 1));
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a client that looks at what is available before it pays is not asked to notice that there is more", async () => {
  const { card } = await examineOnly(
    "noticed",
    `${check} ${settled} const { available } = await get("/v1/business/overview");
    check(available >= 7000);
    const payout = await post("/v1/business/payouts", { amount: 7000 });
    check(payout.you_receive === 6950 && payout.fee === 50 && payout.amount === 7000);`,
  );
  expect(card.findings).toEqual([]);
});

test("findings of one cause stand together, an accepted one does not count, and all reports agree", async () => {
  const folder = temporaryFolder();
  const twice = client(`${settled}
    const pay = () => post("/v1/business/payouts", { amount: 7000 });
    await pay().catch(pay);`);
  const only = [
    "--only",
    "survived/createPayout/reply-lost,survived/createPayout/truncated",
    "--junit",
    "exam.xml",
  ];
  const found = await examine(twice, only, folder);
  expect([found.code, found.card.grade, found.card.passed]).toEqual([1, "D", false]);
  expect(found.card.findings.map(({ id, cause }) => [id, cause])).toEqual([
    ["survived/createPayout/reply-lost", "survived/createPayout/reply-lost"],
    ["survived/createPayout/truncated", "survived/createPayout/reply-lost"],
  ]);
  expect(found.stdout).toMatch(/Also: .*\[survived\/createPayout\/truncated\]/);
  expect(found.stdout).toContain(`${found.card.runs} runs of the command`);

  const accepted =
    "survived/createPayout/reply-lost: paid by hand\nsurvived/createPayout/truncated: likewise\n";
  writeFileSync(join(folder, "accepted.yaml"), accepted);
  const lived = await examine(twice, [...only, "--accept", "accepted.yaml", "--since", "last"], folder);
  expect([lived.code, lived.card.grade, lived.card.passed]).toEqual([0, "A", true]);
  expect(lived.card.findings.map(({ accepted: reason }) => reason)).toEqual(["paid by hand", "likewise"]);
  expect(lived.stdout).toContain("Accepted: paid by hand");
  expect(readFileSync(join(folder, "exam.xml"), "utf8")).toContain('failures="0"');

  writeFileSync(join(folder, "accepted.yaml"), "survived/createPayout/reply-lost:\n");
  const refused = await runProgram(["exam", "--accept", "accepted.yaml", "--", ...twice], folder);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("gives no reason for survived/createPayout/reply-lost"),
  ]);
});

test("a suite on one account that also tests bad answers hides no good one that is taken for granted", async () => {
  const count = (isPaid: string) => `${check} ${given("{ business: {} }")}
    const { id } = await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" });
    for (const amount of [5000, 6000.05]) await post("/v1/business/test/simulate-payment", { virtual_account_id: id, amount });
    const { payments } = await get("/v1/business/payments");
    check(payments.filter(({ status }) => ${isPaid}).length === 1);`;
  const lookUp = (isRight: string) => `${check}
    const isKnown = async (bvn) => { const found = await post("/v1/verify/bvn", { bvn, first_name: "Ada", last_name: "Obi" }); return ${isRight}; };
    check(await isKnown("22222222222"));
    check(!(await isKnown("22222222221")));`;
  const exams = await Promise.all([
    examineOnly("noticed/listPayments", count(`status !== "failed"`)),
    examineOnly("noticed/listPayments", count(`status === "success"`)),
    examineOnly("noticed/verifyBvn/no_match", lookUp(`found.status === "success"`)),
    examineOnly("noticed/verifyBvn/no_match", lookUp("found.match === true")),
  ]);
  expect(exams.map((exam) => idsOf(exam).sort())).toEqual([
    ["noticed/listPayments/held", "noticed/listPayments/pending", "noticed/listPayments/unknown"],
    [],
    ["noticed/verifyBvn/no_match"],
    [],
  ]);
});

test("each record is asked about alone, so that the test of another one hides nothing", async () => {
  const gate = (isReleased: string) => `${check}
    const release = async (url) => {
      const { id } = await post("/v1/audits", { url, tier: "deep" });
      await post("/_sandbox/clock/advance", { by: "30m" });
      const audit = await get("/v1/audits/" + id);
      return ${isReleased};
    };
    check(await release("https://perfect.test"));
    check(!(await release("https://example.com")));`;
  const exams = await Promise.all([
    examineOnly("noticed/getAudit", gate("audit.score === null || audit.score >= 80")),
    examineOnly("noticed/getAudit", gate(`audit.status === "ready" && audit.score >= 80`)),
  ]);
  const finding = "noticed/getAudit/failed/first-record";
  expect(exams.map(idsOf)).toEqual([[finding], []]);
  expect(exams[0]?.card.findings[0]?.file).toBeNull();
  expect(exams[0]?.card.findings[0]?.reproduce).toContain(`standin exam --only ${finding} -- node`);
});

test("a payout that is sent again blindly is found, though the balance is too low for it", async () => {
  const payAll = (look: string) => `${settled}
    const pay = async (amount, attempts = 2) => {
      const reply = await post("/v1/business/payouts", { amount }).catch(() => null);
      if (reply !== null || attempts === 1) return reply;
      ${look}
      return pay(amount, attempts - 1);
    };
    const { available } = await get("/v1/business/overview");
    await pay(available);`;
  const lost = "survived/createPayout/reply-lost";
  const exams = await Promise.all([
    examineOnly(lost, payAll("")),
    examineOnly(lost, payAll(`if ((await get("/v1/business/events")).events.length > 0) return null;`)),
    examineOnly(lost, payAll(`await get("/v1/business/events");`)),
  ]);
  expect(exams.map(idsOf)).toEqual([[lost], [], [lost]]);
  expect(exams[2]?.card.findings[0]?.evidence).toEqual([
    "createPayout took effect, or would have with more balance, 2 times on one account, and once undisturbed.",
  ]);
});

test("money that is moved twice on one account is found, though another test moves it twice rightly", async () => {
  const payments = (attempts: number) => `${check}
    const shop = async (key, payouts) => {
      const own = (...asked) => askAs(key, ...asked);
      await own("POST", "/_sandbox/scenarios", { name: "set-up", given: { payout_account: { bank_code: "058", account_number: "0123456789" }, payments: [{ amount: 20000, settled: true }] } });
      for (let payout = 0; payout < payouts; payout++)
        for (let attempt = 1; ; attempt++) {
          const reply = await own("POST", "/v1/business/payouts", { amount: 1000 + payout }).catch(() => null);
          await own("GET", "/v1/business/events");
          if (reply?.id || attempt === ${attempts}) break;
        }
    };
    await shop("svc_test_shop_1", 1);
    await shop("svc_test_shop_2", 2);`;
  const lost = "survived/createPayout/reply-lost";
  const [twice, once] = await Promise.all([examineOnly(lost, payments(2)), examineOnly(lost, payments(1))]);
  expect([idsOf(twice), idsOf(once)]).toEqual([[lost], []]);
  expect(twice.card.findings[0]?.evidence).toEqual([
    "createPayout took effect 3 times on one account, and 2 times undisturbed.",
  ]);
});

test("a suite that sets outcomes by rules of its own, or tests bad answers alone, is asked what its tests are about", async () => {
  const scan = (isGood: string) => `${check}
    const own = (key) => async (outcome) => {
      if (outcome) await askAs(key, "POST", "/_sandbox/rules", { on: "scanText", outcome, times: 1 });
      const found = await askAs(key, "POST", "/v1/media-scan/text", { text: "A long way home in the rain. ".repeat(40) });
      return ${isGood};
    };
    check(await own("svc_test_scan_1")("authentic"));
    check(!(await own("svc_test_scan_2")("likely_ai")));
    await own("svc_test_scan_3")();`;
  const closed = `${check}
    const [{ id }] = await get("/v1/wa/channels");
    const { sent } = await post("/v1/wa/channels/" + id + "/send", { to: "2348031234567", text: "Come at nine" });
    check(!(sent > 0));`;
  const exams = await Promise.all([
    examineOnly("noticed/scanText", scan(`found.verdict !== "likely_ai"`)),
    examineOnly("noticed/scanText", scan(`found.verdict === "likely_authentic"`)),
    examineOnly("noticed,survived/sendChannelMessage/reset", closed),
  ]);
  const [careless, ...right] = exams.map((exam) => idsOf(exam));
  expect(careless).toContain("noticed/scanText/inconclusive");
  expect(right).toEqual([[], []]);
});

test("a message that was not sent, an expired code and an outage are not taken for good ones", async () => {
  const send = (isSent: string) => `${check}
    const [{ id }] = await get("/v1/wa/channels");
    await post("/_sandbox/inbox/reply", { channel_id: id, from: "2348031234567", text: "Hello" });
    const reply = await post("/v1/wa/channels/" + id + "/send", { to: "2348031234567", text: "Come at nine" });
    check(${isSent});
    check((await get("/_sandbox/inbox?to=2348031234567")).items.length === 1);`;
  const signIn = (isIn: string) => `${check} ${given(`{ account: { code: "123456" } }`)}
    const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
    const wrong = await post("/v1/phone/verify/check", { id, code: "000000" });
    const right = await post("/v1/phone/verify/check", { id, code: "123456" });
    const isIn = (reply) => ${isIn};
    check(!isIn(wrong) && isIn(right));`;
  const paid = (isOpen: string) => `${check} ${given(`{ payments: [{ amount: 20000 }] }`)}
    const { payments } = await get("/v1/business/payments");
    check(${isOpen} payments.some(({ status }) => status === "success"));`;
  const open = (isOpen: string) => `${check}
    const found = await post("/v1/verify/bvn", ${person});
    check(${isOpen});`;
  const exams = await Promise.all([
    examineOnly("noticed/sendChannelMessage", send("!reply.error")),
    examineOnly("noticed/sendChannelMessage", send("reply.sent === 1")),
    examineOnly("noticed/checkPhoneVerification/expired", signIn(`reply.status !== "pending"`)),
    examineOnly("noticed/checkPhoneVerification/expired", signIn("reply.verified")),
    examineOnly("noticed/checkPhoneVerification/used", signIn(`reply.status === "verified"`)),
    examineOnly(
      "noticed/checkPhoneVerification/locked",
      signIn(`!["pending", "expired"].includes(reply.status)`),
    ),
    examineOnly("noticed/verifyBvn", open(`found.match || found.error.code === "provider_unavailable"`)),
    examineOnly("noticed/verifyBvn", open("found.match === true")),
    examineOnly("noticed/listPayments/outage", paid(`payments === undefined || `)),
    examineOnly("noticed/listPayments/outage", paid("")),
  ]);
  expect(exams.map((exam) => idsOf(exam).sort())).toEqual([
    ["noticed/sendChannelMessage/not-delivered", "noticed/sendChannelMessage/not-sent"],
    [],
    ["noticed/checkPhoneVerification/expired"],
    [],
    ["noticed/checkPhoneVerification/used"],
    ["noticed/checkPhoneVerification/locked"],
    ["noticed/verifyBvn/outage"],
    [],
    ["noticed/listPayments/outage"],
    [],
  ]);
});

test("a client that passes a refusal on, waits longer each time, or is asked once more is not accused", async () => {
  const only = "absorbed/getBalance,survived/getBalance/down";
  const reads = (pause: string, attempts: number) => `const read = async (attempt = 1) => {
      const reply = await get("/v1/balance");
      if (!reply.error || attempt === ${attempts}) return reply;
      await new Promise((go) => setTimeout(go, ${pause}));
      return read(attempt + 1);
    };
    const wallet = await read();`;
  const told = `if (wallet.error) { console.error("refused: " + wallet.error.code); process.exit(1); }`;
  const swallowed = `(await import("node:assert")).ok(wallet.balance);`;
  const failed = `if (wallet.error) throw new Error("There is no connection now.");`;
  const again = `${check} ${settled} const pay = (amount) => post("/v1/business/payouts", { amount });
    check((await get("/v1/balance")).balance > 0);
    await pay(5000.05); check((await pay(5000)).id);`;
  const exams = await Promise.all([
    examineOnly(only, `const wallet = await get("/v1/balance"); ${told}`),
    examineOnly(only, `const wallet = await get("/v1/balance"); ${failed}`),
    examineOnly(only, `const wallet = await get("/v1/balance"); ${swallowed}`),
    examineOnly(only, `${reads("40 * 2 ** attempt", 4)} ${told}`),
    examineOnly(only, `${reads("10", 12)} ${told}`),
    examineOnly("survived/createPayout/requested", again),
  ]);
  expect(exams.map((exam) => idsOf(exam).sort())).toEqual([
    [],
    [],
    ["absorbed/getBalance/rate-limited"],
    [],
    ["survived/getBalance/down"],
    [],
  ]);
});
