/** What right clients do, and an exam must not take for a mistake. */
import { expect, test } from "vitest";
import { check, examineOnly, given, idsOf, payIn, receiver, settled } from "./small-clients.js";

test("the holder of a bank account is compared by the name, or by the verdict", async () => {
  const lookUp = (isOwn: string) => `${check}
    const { match, data } = await post("/v1/verify/bank-account", { account_number: "0123456789", bank_code: "058" });
    check(${isOwn});`;
  const names = ["partial_match", "no_match"].map((outcome) => `noticed/verifyBankAccount/${outcome}`);
  const [careless, byName, byVerdict] = await Promise.all([
    examineOnly(names.join(), lookUp("data.account_name")),
    examineOnly(names.join(), lookUp(`data?.account_name && data.account_name !== "STANDIN ANOTHER HOLDER"`)),
    examineOnly(names.join(), lookUp("match")),
  ]);
  expect(idsOf(careless)).toEqual(names);
  expect([idsOf(byName), byName.code]).toEqual([[], 0]);
  expect([idsOf(byVerdict), byVerdict.code]).toEqual([[], 0]);
});

test("tests read the log of the account without a time limit and a repetition", async () => {
  const payOut = `${check} ${settled} check((await post("/v1/business/payouts", { amount: 5000 })).id);
    check((await get("/v1/business/events")).events?.some(({ kind }) => kind === "payout.requested"));`;
  const { card, code } = await examineOnly("absorbed", payOut);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried.map(({ id }) => id)).toContain("absorbed/listBusinessEvents/slow");
});

test("a test that counts the balance after an event may end on an assertion about a refused read", async () => {
  const paid = `${settled} ${receiver("async () => 204")} ${payIn}
    await until(() => seen.some(({ event }) => event === "payment.received"));
    const reply = await get("/v1/business/overview");
    if (reply.error) {
      console.log("AssertionError: GET /v1/business/overview was answered with 429 or 503: " + reply.error.code);
      process.exit(1);
    }`;
  const { card, code } = await examineOnly("absorbed/getBusinessOverview/rate-limited", paid);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toMatchObject([{ result: "passed" }]);
});

test("a test in which the receiver turns results away may count them", async () => {
  const visit = (turnedAway: string) => `${check} const results = []; ${receiver(`async (body) => {
      const { event, data } = JSON.parse(body);
      if (event === "verification.completed") results.push(data.status);
      return ${turnedAway} && results.length === 1 ? 503 : 204;
    }`)}
    const { id } = await post("/v1/verify/address", { address: "12 Allen Avenue, Ikeja", full_name: "Ada Obi", country: "NG" });
    await post("/v1/verify/address/" + id + "/location", { latitude: 6.592169, longitude: 3.351745, accuracy_m: 12 });
    await until(() => seen.some(({ data }) => data.status === "verified"));
    await post("/_sandbox/clock/advance", { by: "1m" });
    check(results.every((status) => status === "verified"));`;
  const earlier = "absorbed/verification.completed/earlier-result";
  const refusal = `nothing that the command does is called ${earlier}`;
  await expect(examineOnly(earlier, visit("true"))).rejects.toThrow(refusal);
  const { card } = await examineOnly(earlier, visit("false"));
  expect(card.tried.map(({ id }) => id)).toEqual([earlier]);
});

test("tests read the balance without a time limit, and the client sets one for its own requests", async () => {
  const payOut = `${settled} await get("/v1/balance");
    await Promise.race([post("/v1/business/payouts", { amount: 5000 }), new Promise((give) => setTimeout(give, 1_000))]);`;
  const { card, code } = await examineOnly("survived/createPayout/hang,getBalance", payOut);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried.map(({ id }) => id)).toContain("survived/createPayout/hang");
});

test("a person may type another code, whatever the service says of the first", async () => {
  const signIn = `${given(`{ account: { code: "123456" } }`)}
    const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
    for (const code of ["654321", "123456"]) await post("/v1/phone/verify/check", { id, code });`;
  const expired = "survived/checkPhoneVerification/code_expired";
  const { card, code } = await examineOnly(expired, signIn, ["--assume", "phone.ended=refused"]);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toMatchObject([{ id: expired, result: "passed" }]);
});

test("a checkout whose address was lost may be opened again: nobody pays at the first one", async () => {
  const open = `${given("{ business: {} }")}
    const open = () => post("/v1/business/charges", { amount: 5000, customer_name: "Ada", customer_email: "a@example.com", description: "Rice" });
    await open().catch(open);`;
  const lost = "survived/createCharge/reply-lost";
  const { card, code } = await examineOnly(lost, open);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toMatchObject([{ id: lost, result: "passed" }]);
});

test("a person types on while the client repeats a check whose reply was lost", async () => {
  const signIn = `${given(`{ account: { code: "123456" } }`)}
    const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
    const type = (code) => post("/v1/phone/verify/check", { id, code });
    for (let typed = 0; typed < 5; typed++) await type("65432" + typed).catch(() => type("65432" + typed)).catch(() => null);`;
  const lost = "survived/checkPhoneVerification/reply-lost";
  const { card, code } = await examineOnly(lost, signIn);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toMatchObject([{ id: lost, result: "passed" }]);
});

test("a receiver that works on an event may wait for a service that hangs until its own time limit", async () => {
  const share = `${settled} ${receiver(`async (body) => {
      const { event, data } = JSON.parse(body);
      if (event !== "payment.received") return 204;
      const { payments } = await Promise.race([get("/v1/business/payments"), new Promise((give) => setTimeout(give, 10_500, {}))]);
      return payments ? 204 : 503;
    }`)}
    ${payIn}
    for (let i = 0; i < 800 && !seen.some(({ event }) => event === "payment.received"); i++)
      await new Promise((go) => setTimeout(go, 20));`;
  const hang = "survived/listPayments/hang";
  const { card, code } = await examineOnly(hang, share);
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toMatchObject([{ id: hang, result: "passed" }]);
});
