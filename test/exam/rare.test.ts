/** What tests seldom have: doubtful answers, amounts in kobo, letters beyond ASCII, null, and refusals in the middle. */
import { expect, test } from "vitest";
import { check, examineOnly, given, idsOf, payIn, person, receiver, settled } from "./small-clients.js";

const strict = receiver("(body, signature) => (isGenuine(body, signature) ? 200 : 401)");
const pay = `${given("{ business: {} }")}
  ${payIn}`;

test("an undecided answer that is taken for a good one is found, although the test of another answer fails", async () => {
  const suite = (isIn: string) => `${check}
    const signIn = async (number, isRight) => {
      const own = (...asked) => askAs("svc_test_sign_in_" + number, ...asked);
      const [{ id }] = await own("GET", "/v1/wa/channels");
      await own("POST", "/v1/wa/channels/" + id + "/otp", { to: "2348031234567" });
      const { codes: [code] } = await own("GET", "/_sandbox/inbox/wait?to=2348031234567&timeout=5s");
      const wrong = code === "111111" ? "222222" : "111111";
      const checked = await own("POST", "/v1/wa/channels/" + id + "/otp/verify", { to: "2348031234567", code: isRight ? code : wrong });
      return ${isIn};
    };
    check(await signIn(1, true));
    check(!(await signIn(2, false)));`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/checkChannelCode", suite(`checked.reason !== "wrong_code"`)),
    examineOnly("noticed/checkChannelCode", suite("checked.valid")),
  ]);
  expect(idsOf(careless).sort()).toEqual([
    "noticed/checkChannelCode/expired",
    "noticed/checkChannelCode/locked",
    "noticed/checkChannelCode/none-sent",
    "noticed/checkChannelCode/outage/first-account",
    "noticed/checkChannelCode/refused/first-account",
  ]);
  const onOne = careless.card.findings.find(({ id }) => id.endsWith("/refused/first-account"));
  expect(onOne?.file).toBeNull();
  expect(onOne?.reproduce).toMatch(
    /^standin exam --only noticed\/checkChannelCode\/refused\/first-account -- node/,
  );
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a look-up that is refused is not taken for a person who was found", async () => {
  const suite = (isTrusted: string) => `${check}
    const trust = async (number, outcome) => {
      const reply = await fetch(base + "/v1/verify/bvn", { method: "POST", body: JSON.stringify(${person}),
        headers: { "X-Service-Key": "svc_test_trust_" + number, "Content-Type": "application/json", ...(outcome && { "X-Sandbox-Outcome": outcome }) } });
      const found = await reply.json();
      return ${isTrusted};
    };
    check(await trust(1));
    check(!(await trust(2, "no_match")));`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/verifyBvn/refused", suite("found.match !== false")),
    examineOnly("noticed/verifyBvn/refused", suite("found.match === true")),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/verifyBvn/refused"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("the day of a payment is the day in Lagos", async () => {
  const suite = (
    day: string,
  ) => `${check} ${given(`{ clock: "2026-03-10T12:00:00Z", payments: [{ amount: 20000 }] }`)}
    const dayOf = ${day};
    const { payments: [{ paid_at: paid }] } = await get("/v1/business/payments");
    check(dayOf(paid) === "2026-03-10");`;
  const names = "noticed/listPayments/day-of-lagos,noticed/listPayments/month-of-lagos";
  const lagos = `(at) => new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 10)`;
  const [careless, right] = await Promise.all([
    examineOnly(names, `${suite("(at) => at.slice(0, 10)")}`),
    examineOnly(names, suite(lagos)),
  ]);
  expect(idsOf(careless)).toEqual(["noticed/listPayments/day-of-lagos"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a share of an amount in kobo that is not rounded is found", async () => {
  const share = (amount: string) => `${strict} ${settled} ${pay}
    await until(() => seen.some(({ event }) => event === "payment.received"));
    const { data: { net } } = seen.find(({ event }) => event === "payment.received");
    await post("/v1/business/payouts", { amount: ${amount} });`;
  const [careless, right] = await Promise.all([
    examineOnly("survived/payment.received/kobo", share("net * 0.7")),
    examineOnly("survived/payment.received/kobo", share("Math.round(net * 70) / 100")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    ["survived/payment.received/kobo", expect.stringContaining("float-money, createPayout")],
  ]);
  expect(careless.card.findings[0]?.evidence.join()).toContain(
    "The service refused a request of createPayout as wrong (amount_not_in_kobo), which it did not undisturbed.",
  );
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a signature that is computed of a decoded body is found by letters beyond ASCII", async () => {
  const decoded = receiver(
    `(body, signature) => (createHmac("sha256", secret).update(body.toString("latin1")).digest("hex") === signature ? 200 : 401)`,
  );
  const arrives = `${pay} await until(() => seen.some(({ event }) => event === "payment.received"));`;
  const [careless, right] = await Promise.all([
    examineOnly("absorbed/payment.received/letters", `${decoded} ${arrives}`),
    examineOnly("absorbed/payment.received/letters", `${strict} ${arrives}`),
  ]);
  expect(idsOf(careless)).toEqual(["absorbed/payment.received/letters"]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a receiver that fails on a payer without a name is found", async () => {
  const listen = (name: string) =>
    receiver(`(body, signature) => {
      if (!isGenuine(body, signature)) return 401;
      const { event, data } = JSON.parse(body);
      try { if (event === "payment.received") console.log(${name}); } catch (error) { console.error(error); return 500; }
      return 200;
    }`);
  const arrives = `${pay} await until(() => seen.some(({ event }) => event === "payment.received"));`;
  const [careless, right] = await Promise.all([
    examineOnly("survived/payment.received/null", `${listen("data.payer_name.trim()")} ${arrives}`),
    examineOnly("survived/payment.received/null", `${listen("data.payer_name?.trim()")} ${arrives}`),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    ["survived/payment.received/null", expect.stringContaining("failed on null: TypeError")],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a batch that begins again from its first payout after a refusal is found", async () => {
  const batch = (next: string) => `${settled}
    let paid = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        for (let index = ${next}; index < 2; index++) {
          const reply = await fetch(base + "/v1/business/payouts", { method: "POST", body: '{"amount":5000}',
            headers: { "X-Service-Key": key, "Content-Type": "application/json" } });
          if (!reply.ok) throw Number(reply.headers.get("Retry-After"));
          paid++;
        }
        break;
      } catch (seconds) {
        await new Promise((go) => setTimeout(go, 1_050 * seconds));
      }
    }`;
  const [careless, right] = await Promise.all([
    examineOnly("survived/createPayout/unavailable-later", batch("0")),
    examineOnly("survived/createPayout/unavailable-later", batch("paid")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      "survived/createPayout/unavailable-later",
      ["createPayout took effect 3 times on one account, and 2 times undisturbed."],
    ],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a notice that begins again from its first message after an outage is found", async () => {
  const notify = (remember: string) => `${check}
    const [{ id }] = await get("/v1/wa/channels");
    const parents = ["2348031230001", "2348031230002", "2348031230003"];
    for (const from of parents) await post("/_sandbox/inbox/reply", { channel_id: id, from, text: "Good morning" });
    const told = new Set();
    const tell = async () => {
      for (const to of parents) {
        if (told.has(to)) continue;
        if ((await post("/v1/wa/channels/" + id + "/send", { to, text: "School closes at noon." })).error) return false;
        ${remember}
      }
      return true;
    };
    for (let run = 0; run < 10 && !(await tell()); run++) await new Promise((go) => setTimeout(go, 1_050));`;
  const down = "survived/sendChannelMessage/down-later";
  const [careless, right] = await Promise.all([
    examineOnly(down, notify("")),
    examineOnly(down, notify("told.add(to);")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence.join()])).toEqual([
    [down, expect.stringContaining("sendChannelMessage took effect")],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a payout that fails after the client has stopped looking is found", async () => {
  const payOut = `${check} ${settled} check((await post("/v1/business/payouts", { amount: 7000 })).id);
    await post("/_sandbox/clock/advance", { by: "5m" });`;
  const look = `check((await get("/v1/business/events")).events.some(({ kind }) => kind === "payout.paid"));`;
  const [careless, right] = await Promise.all([
    examineOnly("noticed/createPayout", payOut),
    examineOnly("noticed/createPayout", `${payOut} ${look}`),
  ]);
  expect(idsOf(careless).filter((id) => !id.endsWith("/money"))).toEqual([
    "noticed/createPayout/failed",
    "noticed/createPayout/rejected",
  ]);
  expect(idsOf(right)).toEqual([]);
});

test("an upload that is repeated with a file that was read to its end is found", async () => {
  const upload = (bytes: string) => `
    let file = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    const whole = file;
    for (let attempt = 0; attempt < 2; attempt++) {
      const form = new FormData();
      form.set("file", new Blob([${bytes}], { type: "image/png" }), "selfie.png");
      const reply = await fetch(base + "/v1/verify/liveness", { method: "POST", headers: { "X-Service-Key": key }, body: form });
      if (reply.status !== 503) break;
      file = file.subarray(file.length);
      await new Promise((go) => setTimeout(go, 1_050 * Number(reply.headers.get("Retry-After"))));
    }`;
  const [careless, right] = await Promise.all([
    examineOnly("survived/verifyLiveness/provider_unavailable", upload("file")),
    examineOnly("survived/verifyLiveness/provider_unavailable", upload("whole")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      "survived/verifyLiveness/provider_unavailable",
      [
        "The service refused a request of verifyLiveness as wrong (validation_error), which it did not undisturbed.",
      ],
    ],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a request that is repeated without some of its fields is found", async () => {
  const lookUp = (again: string) => `${check}
    const whole = ${person};
    const reply = await post("/v1/verify/bvn", whole);
    const { match } = reply.error ? await post("/v1/verify/bvn", ${again}) : reply;
    check(match);
    check((await post("/v1/verify/nin", { nin: "12345678900", first_name: "Ada" })).status);
    check((await post("/v1/verify/nin", { nin: "12345678900" })).status);`;
  const timeouts = "survived/verifyBvn/timeout,survived/verifyNin/timeout";
  const [careless, right] = await Promise.all([
    examineOnly(timeouts, lookUp("{ bvn: whole.bvn }")),
    examineOnly(timeouts, lookUp("whole")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      "survived/verifyBvn/timeout",
      ["A request of verifyBvn was repeated without first_name, last_name, which it had at first."],
    ],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a file that was cut off and is sent back to the service is found", async () => {
  const archive = (whole: string) => `
    const convert = (file, format) => {
      const form = new FormData();
      form.set("file", new Blob([file]), "choir.wav");
      form.set("target_format", format);
      return new Promise((resolve) => {
        const encoded = new Response(form);
        encoded.arrayBuffer().then((body) => {
          const headers = { "X-Service-Key": key, "Content-Type": encoded.headers.get("Content-Type"), "Content-Length": body.byteLength };
          request(base + "/v1/tools/audio-convert", { method: "POST", headers }, (response) => {
            const chunks = [];
            response.on("data", (chunk) => chunks.push(chunk)).on("error", () => {}).on("close", () => {
              const bytes = Buffer.concat(chunks);
              resolve(${whole} ? bytes : null);
            });
          }).end(Buffer.from(body));
        });
      });
    };
    const samples = 2 * 8000;
    const wav = Buffer.alloc(44 + 2 * samples);
    wav.write("RIFF", 0); wav.writeUInt32LE(36 + 2 * samples, 4); wav.write("WAVEfmt ", 8); wav.writeUInt32LE(16, 16);
    wav.writeUInt16LE(1, 20); wav.writeUInt16LE(1, 22); wav.writeUInt32LE(8000, 24); wav.writeUInt32LE(16000, 28);
    wav.writeUInt16LE(2, 32); wav.writeUInt16LE(16, 34); wav.write("data", 36); wav.writeUInt32LE(2 * samples, 40);
    for (let at = 0; at < samples; at++) wav.writeInt16LE(8000 * Math.sin(at / 5), 44 + 2 * at);
    const flac = await convert(wav, "flac");
    if (flac) await convert(flac, "wav");`;
  const cut = "survived/convertAudio/truncated";
  const [careless, right] = await Promise.all([
    examineOnly(cut, archive("true")),
    examineOnly(cut, archive("bytes.length === Number(response.headers['content-length'])")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [cut, [expect.stringContaining("refused a request of convertAudio as wrong (file_unreadable)")]],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a payout that was never made is found, although one of the same amount was made before", async () => {
  const payTwo = (isMade: string) => `${check} ${settled}
    const requested = async () => (await get("/v1/business/events")).events.filter(({ kind }) => kind === "payout.requested");
    const pay = async () => {
      const before = await requested();
      const reply = await post("/v1/business/payouts", { amount: 5000 }).catch(() => null);
      if (reply !== null) return check(!reply.error);
      const after = await requested();
      if (!(${isMade})) await pay();
    };
    await pay();
    await pay();`;
  const later = "noticed/createPayout/not-made-later";
  const [careless, right] = await Promise.all([
    examineOnly(later, payTwo("after.length > 0")),
    examineOnly(later, payTwo("after.length > before.length")),
  ]);
  expect(idsOf(careless)).toEqual([later]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: later, result: "passed" }]);
});

test("a licence that has expired or is suspended lets nobody drive", async () => {
  const lookUp = `${check} const { match, data } = await post("/v1/verify/frsc", { licence_number: "ABC12345AA01" });`;
  const licences = ["expired", "suspended"].map((status) => `noticed/verifyFrsc/${status}-licence`);
  const only = licences.join();
  const [careless, byDate, right] = await Promise.all([
    examineOnly(only, `${lookUp} check(match && data.licence_class);`),
    examineOnly(only, `${lookUp} check(match && data.expiry_date > "2026-01-01");`),
    examineOnly(only, `${lookUp} check(match && data.licence_status === "valid");`),
  ]);
  expect(idsOf(careless).sort()).toEqual(licences);
  expect(idsOf(byDate)).toEqual(licences.slice(1));
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("a value that nobody knows yet is not taken for a good one", async () => {
  const lookUp = `${check} const { match, data } = await post("/v1/verify/bvn-account-match",
    { account_number: "0123456789", bank_code: "058", bvn: "22222222220" });`;
  const only = "noticed/verifyBvnAccountMatch/unknown";
  const [careless, right, byMatch] = await Promise.all([
    examineOnly(only, `${lookUp} check(!["NO_MATCH", "PARTIAL_MATCH"].includes(data.match_status));`),
    examineOnly(only, `${lookUp} check(data.match_status === "FULL_MATCH");`),
    examineOnly(only, `${lookUp} check(match === true);`),
  ]);
  expect(idsOf(careless)).toEqual([only]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(idsOf(byMatch)).toEqual([]);
  expect(byMatch.card.not_tried).toMatchObject([{ id: only, reason: "not read" }]);
});

test("a score of zero is a score, and a signal that nobody knows is not taken for a weak one", async () => {
  const audit = (
    isGood: string,
  ) => `${check} await post("/_sandbox/rules", { on: "createAudit", outcome: "ready" });
    const { id } = await post("/v1/audits", { url: "https://example.com", tier: "deep" });
    await post("/_sandbox/clock/advance", { by: "10m" });
    const { score } = await get("/v1/audits/" + id);
    check(${isGood});`;
  const scan = (isGood: string) => `${check}
    await post("/_sandbox/rules", { on: "scanText", outcome: "inconclusive" });
    const { signals } = await post("/v1/media-scan/text", { text: "A lease of twelve months, with rent that is due on the first. ".repeat(20) });
    check(signals.every(({ severity }) => ${isGood}));`;
  const [zero, severity] = ["noticed/getAudit/zero", "noticed/scanText/unknown-severity"] as const;
  const exams = await Promise.all([
    examineOnly(zero, audit("!score || score > 50")),
    examineOnly(zero, audit("score > 50")),
    examineOnly(severity, scan(`severity !== "strong"`)),
    examineOnly(severity, scan(`["weak", "moderate"].includes(severity)`)),
  ]);
  expect(exams.map(idsOf)).toEqual([[zero], [], [severity], []]);
  expect(exams.map(({ card }) => card.tried.length)).toEqual([1, 1, 1, 1]);
});

test("a test that expects a licence to be refused for another reason is not asked about its status", async () => {
  const look = (key: string, isRight: string) => `{
    const { match, data } = await askAs("${key}", "POST", "/v1/verify/frsc", { licence_number: "ABC12345AA01" });
    const reasons = [match ? "" : "no_match", data?.licence_status === "valid" ? "" : "not_valid"];
    if (data?.expiry_date < today) reasons.push("past_expiry");
    check(${isRight});
  }`;
  const { card, code } = await examineOnly(
    "noticed/verifyFrsc/suspended-licence,noticed/verifyFrsc/unknown",
    `${check} let today = "2026-01-01"; ${look("svc_test_drive_1", `reasons.join("") === ""`)}
    today = "2099-01-01"; ${look("svc_test_drive_2", `reasons.includes("past_expiry")`)}`,
  );
  expect([card.findings, code]).toEqual([[], 0]);
});

test("a request that only the tests make may become invalid", async () => {
  const { card, code } = await examineOnly(
    "survived/createVirtualAccount/malformed",
    `${given("{ business: {} }")}
    const opened = await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" }).catch(() => ({ id: null }));
    const { error } = await post("/v1/business/test/simulate-payment", { virtual_account_id: opened.id, amount: 5000 });
    if (error) process.exit(1);`,
  );
  expect([card.findings, code]).toEqual([[], 0]);
  expect(card.tried).toHaveLength(1);
});

test("a payment that is pending when it is first read, and paid when it is read again, is counted", async () => {
  const pay = (count: string, reads: number) => `${check} ${given("{ payments: [{ amount: 20000 }] }")}
    await askAs("svc_test_other", "GET", "/v1/business/payments");
    const counted = new Map();
    for (let read = 0; read < ${reads} && counted.get("pay") !== "success"; read++) {
      const { payments: [{ status }] } = await get("/v1/business/payments");
      ${count}
    }
    check(counted.get("pay") === "success");`;
  const only = "absorbed/listPayments/pending-first";
  const [careless, right, once] = await Promise.all([
    examineOnly(only, pay(`if (!counted.has("pay")) counted.set("pay", status);`, 5)),
    examineOnly(only, pay(`counted.set("pay", status);`, 5)),
    // A test that reads once may expect that it is paid.
    examineOnly(only, pay(`counted.set("pay", status);`, 1)),
  ]);
  expect(idsOf(careless)).toEqual([`${only}/first-account`]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect([idsOf(once), once.code]).toEqual([[], 0]);
});

test("a suite that brings a fault about by a rule of its own is not accused of what the exam puts in its place", async () => {
  const code = `${check} await post("/_sandbox/rules", { on: "verifyBvn", fault: { reply: "reset_after" }, times: 1 });
    check((await post("/v1/verify/bvn", ${person}).catch(() => null)) === null);
    check((await post("/v1/verify/bvn", ${person})).match);`;
  const { card } = await examineOnly("absorbed/verifyBvn", code);
  expect(card.findings).toEqual([]);
  expect(card.tried.map(({ id }) => id)).toContain("absorbed/verifyBvn/unknown-field");
});

test("a payment that may not be refunded is asked about only where nothing is refunded", async () => {
  const test = (key: string, code: string) => `{
    const call = (...asked) => askAs("${key}", ...asked);
    await call("POST", "/_sandbox/scenarios", { name: "set-up", given: { payments: [{ amount: 20000, settled: true }] } });
    const find = async (id) => (await call("GET", "/v1/business/payments")).payments.find((one) => one.id === id && one.status === "success");
    const id = (await call("GET", "/v1/business/payments")).payments[0]?.id;
    ${code}
  }`;
  const { card } = await examineOnly(
    "noticed/listPayments/held",
    `${check}
    ${test("svc_test_desk_1", `check(await find(id)); await call("POST", "/v1/business/refunds", { payment_id: id, reason: "lost" });`)}
    ${test("svc_test_desk_2", `check(!(await find("pay_of_nobody")));`)}`,
  );
  expect(card.findings).toEqual([]);
});

test("a bank account counts as selected once the service has saved it", async () => {
  const payAll = (before: string, after: string) => `${check}
    ${given(`{ payments: [{ amount: 20000, settled: true }] }`)}
    const due = new Map([["0123456789", 5000], ["0234567891", 4000]]);
    let selected = "";
    const payday = async () => {
      for (const [account_number, amount] of due) {
        if (selected !== account_number) {
          ${before}
          if ((await askAs(key, "PUT", "/v1/business/payout-account", { bank_code: "058", account_number })).error) {
            await new Promise((go) => setTimeout(go, 1100));
            continue;
          }
          ${after}
        }
        if (!(await post("/v1/business/payouts", { amount })).error) due.delete(account_number);
      }
    };
    for (let run = 0; run < 8 && due.size > 0; run++) await payday();
    check(due.size === 0);`;
  const last = "survived/setPayoutAccount/unavailable-last";
  const [careless, right] = await Promise.all([
    examineOnly(last, payAll("selected = account_number;", "")),
    examineOnly(last, payAll("", "selected = account_number;")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      last,
      ["A payout of NGN 4000 went to the bank account 0123456789, to which another amount goes undisturbed."],
    ],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: last, result: "passed" }]);
});

test("a payout is not requested after its bank account was refused", async () => {
  const payBoth = (onRefusal: string) => `${given(`{ payments: [{ amount: 20000, settled: true }] }`)}
    for (const [account_number, amount] of [["0123456789", 5000], ["0234567891", 4000]]) {
      const saved = await askAs(key, "PUT", "/v1/business/payout-account", { bank_code: "058", account_number });
      if (saved.error) ${onRefusal};
      await post("/v1/business/payouts", { amount });
    }`;
  const refused = "survived/setPayoutAccount/not-found-later";
  const [careless, right] = await Promise.all([
    examineOnly(refused, payBoth(`console.error(saved.error.code)`)),
    examineOnly(refused, payBoth("process.exit(1)")),
  ]);
  expect(careless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      refused,
      ["A payout of NGN 4000 went to the bank account 0123456789, to which another amount goes undisturbed."],
    ],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
});

test("work that begins after its event was answered is not given up at the first refusal", async () => {
  const work = (attempts: number) => `let isPaid = false;
    const work = async (attempt = 1) => {
      const { payments, error } = await get("/v1/business/payments");
      isPaid ||= payments?.some(({ status }) => status === "success");
      if (!error) return;
      console.error(error.code);
      if (attempt < ${attempts}) setTimeout(() => work(attempt + 1), 2_050);
    };
    ${receiver(`(body, signature) => {
      if (!isGenuine(body, signature)) return 401;
      if (JSON.parse(body).event === "payment.received") setTimeout(work, 20);
      return 204;
    }`)}
    ${pay}
    await until(() => isPaid);`;
  const refused = "absorbed/listPayments/unavailable";
  const [careless, right] = await Promise.all([examineOnly(refused, work(1)), examineOnly(refused, work(2))]);
  expect(idsOf(careless)).toEqual([refused]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
  expect(right.card.tried).toMatchObject([{ id: refused, result: "passed" }]);
});

test("an event for which the client may wait is not held back until the next one", async () => {
  const payOut = `${strict} ${settled} await post("/v1/business/payouts", { amount: 7000 });`;
  const heard = (kind: string) => `await until(() => seen.some(({ event }) => event === "${kind}"));`;
  const [waiting, going] = await Promise.all([
    examineOnly(
      "absorbed/payout.requested",
      `${payOut} ${heard("payout.requested")} await post("/v1/business/payouts", { amount: 5000 });`,
    ),
    examineOnly(
      "absorbed/payout.requested",
      `${payOut} await post("/_sandbox/clock/advance", { by: "5m" }); ${heard("payout.paid")}`,
    ),
  ]);
  const isReordered = ({ card }: typeof waiting) =>
    card.tried.some(({ id }) => id === "absorbed/payout.requested/out-of-order");
  expect([isReordered(waiting), isReordered(going)]).toEqual([false, true]);
});
