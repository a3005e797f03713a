/** Random sessions of a tester: requests of all groups, uploads, the clock, rules, people and webhooks. */
import { readFileSync } from "node:fs";
import type { SandboxAccount } from "../../../src/index.js";
import { Random } from "../../../src/time/random.js";
import { field, file, formOf, formType } from "../../support/forms.js";
import { call, type Reply, read } from "../../support/sandbox.js";
import { ref } from "../files.js";

/** Records that a session has made so far. */
interface Made {
  ids: Record<string, string[]>;
}

interface Session {
  account: SandboxAccount;
  random: Random;
  made: Made;
  pick<T>(values: readonly T[]): T;
  /** Returns an id of this kind, or sometimes one that does not exist. */
  id(kind: string): string;
  keep(kind: string, reply: Reply, name?: string): Reply;
}

type Action = (session: Session) => Promise<unknown>;

const picture = (name: string) => readFileSync(new URL(`../../../fixtures/files/${name}`, import.meta.url));
const idCard = picture("id-card.png");
const bill = picture("utility-bill.png");

async function upload(
  { account }: Session,
  path: string,
  fields: [string, string, Uint8Array][],
  texts = {},
) {
  const parts = [
    ...Object.entries(texts).map(([name, value]) => field(name, String(value))),
    ...fields.map(([name, filename, bytes]) => file(name, bytes, filename)),
  ];
  const body = new Uint8Array(formOf(parts));
  return read(await account.fetch(path, { method: "POST", headers: { "Content-Type": formType }, body }));
}

const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
const phones = ["+2348031234567", "08031112223", "+2348000000002", "+2348000000003", "12"];
const amounts = [500, 1_000, 5_000, 20_000, 7_100.05, -1];
const outcomes = [{}, {}, {}, { "X-Sandbox-Outcome": "rate_limited" }, { "X-Sandbox-Outcome": "none_such" }];

const actions: Record<string, Action> = {
  async startPhone({ account, pick, keep }) {
    keep(
      "phone",
      await call(
        account,
        "POST",
        "/v1/phone/verify/start",
        { phone: pick(phones), reference: "r 1" },
        pick(outcomes),
      ),
    );
  },
  async checkPhone({ account, pick, id }) {
    const [message] = await account.inbox.list({ channel: "sms" });
    const code = pick([message?.codes[0] ?? "123456", "000000"]);
    await call(account, "POST", "/v1/phone/verify/check", { id: id("phone"), code });
  },
  async bvn({ account, pick }) {
    const bvn = pick(["22222222221", "22222222225", "22301948576", "22456789012", "12"]);
    await call(account, "POST", "/v1/verify/bvn", { bvn, first_name: "Ada", phone_number: "+2348031234567" });
  },
  async nin({ account, pick }) {
    await call(account, "POST", "/v1/verify/nin", {
      nin: pick(["70000000001", "35402817694", "45456789012"]),
    });
  },
  async frsc({ account }) {
    await call(account, "POST", "/v1/verify/frsc", { licence_number: "LSR48213AA05" });
  },
  async bankAccount({ account, pick }) {
    const account_number = pick(["0123456789", "0000000001"]);
    await call(account, "POST", "/v1/verify/bank-account", { account_number, bank_code: "058" });
  },
  async person({ account }) {
    // A second person with the same BVN is refused.
    await account
      .control("POST", "/people", { first_name: "Bola", last_name: "Ojo", bvn: "22456789012" })
      .catch(() => {});
  },
  async address({ account, pick, keep }) {
    const address = pick(["12 Allen Avenue, Ikeja, Lagos", "Nowhere 1"]);
    const body = { address, full_name: "Adaeze Okafor", country: "NG", radius_m: 200, reference: "a-1" };
    keep("address", await call(account, "POST", "/v1/verify/address", body));
  },
  async visit({ account, id }) {
    await account
      .control("POST", `/address/${id("address")}/visit`, { latitude: 6.6, longitude: 3.35, accuracy_m: 10 })
      .catch(() => {});
  },
  async location({ account, id }) {
    await call(account, "POST", `/v1/verify/address/${id("address")}/location`, {
      latitude: 6.6,
      longitude: 3.35,
      accuracy_m: 20,
    });
  },
  async addressDocument(session) {
    await upload(session, `/v1/verify/address/${session.id("address")}/document`, [
      ["file", "bill.png", bill],
    ]);
  },
  async document(session) {
    const name = session.pick(["adaeze-card.png", "blurry.png", "a b.png"]);
    await upload(session, "/v1/verify/document", [["file", name, idCard]]);
  },
  async faceMatch(session) {
    await upload(session, "/v1/verify/face-match", [
      ["selfie", "adaeze.png", idCard],
      ["id_photo", "nomatch.png", idCard],
    ]);
  },
  async scanImage(session) {
    await upload(session, "/v1/media-scan/image", [["file", "x.png", idCard]]);
  },
  async noUpload(session) {
    await upload(session, "/v1/verify/liveness", []);
  },
  async scanText({ account }) {
    await call(account, "POST", "/v1/media-scan/text", {
      text: "It is a truth universally acknowledged. ".repeat(25),
    });
  },
  async scans({ account }) {
    await call(account, "GET", "/v1/media-scan?media_type=image");
  },
  async logo({ account }) {
    const body = {
      company_name: `Ada ${ref("x")} /a/`,
      style: "badge",
      primary_color: "#0F766E",
      secondary_color: "#FFFFFF",
      size: 256,
    };
    await call(account, "POST", "/v1/tools/generate-logo", body);
  },
  async session({ account, keep, pick }) {
    const body = { room_name: pick(["clinic", "/x/"]), identity: "ada", role: "publisher" };
    keep("session", await call(account, "POST", "/v1/streaming/video/token", body), "session_id");
  },
  async endSession({ account, id }) {
    await account.records.move(id("session"), "end", { minutes: 5 }).catch(() => {});
  },
  async sessions({ account }) {
    await call(account, "GET", "/v1/streaming/sessions");
  },
  async balance({ account }) {
    await call(account, "GET", "/v1/balance");
  },
  async usage({ account }) {
    await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-02-01");
  },
  async pricing({ account }) {
    await call(account, "GET", "/v1/pricing");
  },
  async audit({ account, keep, pick }) {
    keep(
      "audit",
      await call(account, "POST", "/v1/audits", {
        url: "https://shop.example.com",
        ...pick([{}, { tier: "deep" }]),
      }),
    );
  },
  async audits({ account, id, pick }) {
    await call(account, "GET", pick(["/v1/audits", `/v1/audits/${id("audit")}`]));
  },
  async domain({ account, keep, pick }) {
    const { token } = await account.control<{ token: string }>("POST", "/session-token");
    const headers = { Authorization: `Bearer ${token}` };
    keep(
      "domain",
      await call(
        account,
        "POST",
        "/v1/domains/verify/start",
        { domain: pick(["shop.example.com", "a b"]) },
        headers,
      ),
    );
  },
  async proof({ account }) {
    await account.control("POST", "/domains/shop.example.com/proof", { method: "dns_txt" }).catch(() => {});
  },
  async checkDomain({ account, id }) {
    const { token } = await account.control<{ token: string }>("POST", "/session-token");
    await call(account, "POST", `/v1/domains/verify/${id("domain")}/check`, undefined, {
      Authorization: `Bearer ${token}`,
    });
  },
  async channel({ account, keep }) {
    keep("channel", await call(account, "POST", "/v1/wa/channels", { label: "Front desk" }));
  },
  async connect({ account, id }) {
    const channel = id("channel");
    await call(account, "POST", `/v1/wa/channels/${channel}/connect`);
    await account.records.move(channel, "scan").catch(() => {});
  },
  async channels({ account, keep }) {
    const reply = await call(account, "GET", "/v1/wa/channels");
    if (reply.status === 200 && reply.body[0]) keep("channel", { ...reply, body: reply.body[0] });
  },
  async personWrites({ account, id, pick }) {
    await account.inbox
      .reply({ channel_id: id("channel"), from: "2348031234567", text: pick(["Hello", " ngozi!"]) })
      .catch(() => {});
  },
  async send({ account, id }) {
    await call(account, "POST", `/v1/wa/channels/${id("channel")}/send`, {
      to: "2348031234567",
      text: "Hi <b>",
    });
  },
  async channelCode({ account, id, pick }) {
    await call(account, "POST", `/v1/wa/channels/${id("channel")}/otp`, {
      to: pick(["2348031234567", "2348000000008"]),
      length: 6,
    });
  },
  async verifyChannelCode({ account, id, pick }) {
    const [message] = await account.inbox.list({ channel: "chat", to: "2348031234567" });
    const code = pick([message?.codes[0] ?? "123456", "999999"]);
    await call(account, "POST", `/v1/wa/channels/${id("channel")}/otp/verify`, { to: "2348031234567", code });
  },
  async question({ account, id, keep }) {
    const body = { to: "2348031234567", question: "Your mother's name?", expected: "Ngozi", max_attempts: 2 };
    keep("question", await call(account, "POST", `/v1/wa/channels/${id("channel")}/verify-identity`, body));
  },
  async answer({ account, id }) {
    await call(account, "GET", `/v1/wa/channels/${id("channel")}/verify-identity/${id("question")}`);
  },
  async plan({ account, pick }) {
    await account.update(pick([{ plan: "growth" }, { balance: 100_000 }, { plan: "business" }]) as object);
  },
  async profile({ account }) {
    await call(account, "PUT", "/v1/business/profile", {
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "+2348031234567",
    });
  },
  async virtualAccount({ account, keep, random }) {
    keep(
      "va",
      await call(account, "POST", "/v1/business/virtual-accounts", {
        ...customer,
        reference: `ref-${random.integer(1, 3)}`,
        bvn: "22456789012",
      }),
    );
  },
  async pay({ account, id, keep, pick }) {
    keep(
      "payment",
      await call(account, "POST", "/v1/business/test/simulate-payment", {
        virtual_account_id: id("va"),
        amount: pick(amounts),
      }),
      "payment_id",
    );
  },
  async charge({ account, keep, pick }) {
    keep(
      "charge",
      await call(account, "POST", "/v1/business/charges", {
        amount: pick(amounts),
        description: "Order 1042",
        ...customer,
      }),
      "reference",
    );
  },
  async checkout({ account, id, pick }) {
    const card = pick(["4242424242424242", "4000000000000002"]);
    await account.control("POST", `/checkout/${id("charge")}/pay`, { card }).catch(() => {});
  },
  async payoutAccount({ account }) {
    await call(account, "PUT", "/v1/business/payout-account", {
      bank_code: "058",
      account_number: "0123456789",
    });
  },
  async payout({ account, keep, pick }) {
    keep("payout", await call(account, "POST", "/v1/business/payouts", { amount: pick(amounts) }));
  },
  async refund({ account, keep, id, pick }) {
    const amount = pick([{}, { amount: 200 }]);
    keep(
      "refund",
      await call(account, "POST", "/v1/business/refunds", {
        payment_id: id("payment"),
        reason: "Returned",
        ...amount,
      }),
    );
  },
  async move({ account, id, pick }) {
    const [kind, move] = pick([
      ["payment", "settle"],
      ["payment", "raise_issue"],
      ["payout", "reject"],
      ["payout", "pay"],
      ["refund", "process"],
      ["audit", "fail"],
      ["phone", "lock"],
    ] as const);
    await account.records.move(id(kind), move).catch(() => {});
  },
  async lists({ account, pick }) {
    await call(
      account,
      "GET",
      pick([
        "/v1/business/overview",
        "/v1/business/payments?status=success",
        "/v1/business/virtual-accounts",
        "/v1/business/events",
      ]),
    );
  },
  async freeze({ account }) {
    await account.clock.freeze();
  },
  async advance({ account, pick }) {
    await account.advance(pick(["2s", "2m", "15m", "25h"]));
  },
  async next({ account }) {
    await account.clock.advanceTo("next");
  },
  async resume({ account }) {
    await account.clock.resume();
  },
  async rule({ account, pick, made }) {
    const rule = pick([
      { on: "createPayout", when: { body: { amount: 5_000 } }, outcome: "rejected", times: 1 },
      { on: "startPhoneVerification", outcome: "sms_failed" },
      { on: "getBalance", fault: { reply: "truncated" }, times: 1 },
      { on: "verifyBvn", fault: { error: "rate_limited" }, times: 2 },
      { on: "webhooks", webhook: { duplicate: 1 }, times: 1 },
      { on: "createPayout", outcome: "rejected", probability: 0.5 },
      { on: "*", fault: { error: "rate_limited" }, probability: 0.3 },
      { on: "*", fault: { reply: "truncated" }, probability: 0.3, times: 2 },
      { on: "webhooks", webhook: { delay: { min: "1s", max: "1h" } }, probability: 0.5 },
    ]);
    const { id } = await account.rules.add(rule as never).catch(() => ({ id: "" }));
    made.ids.rule = [...(made.ids.rule ?? []), id];
  },
  async removeRule({ account, id }) {
    await account.control("DELETE", `/rules/${id("rule")}`).catch(() => {});
  },
  async webhook({ account, keep, pick }) {
    const events = pick([{}, { events: ["payment.received", "payout.paid"] }]);
    keep(
      "endpoint",
      await call(account, "POST", "/v1/webhooks", {
        url: pick(["http://127.0.0.1:9/a", "http://127.0.0.1:9/b", "x"]),
        ...events,
      }),
    );
  },
  async trigger({ account }) {
    await account.events.trigger("payout.paid");
  },
  async retry({ account }) {
    const [delivery] = await account.deliveries.list();
    if (delivery) await account.control("POST", `/deliveries/${delivery.id}/retry`);
  },
  async removeWebhook({ account, id }) {
    await account.webhooks.remove(id("endpoint")).catch(() => {});
  },
  async malformed({ account }) {
    await call(account, "POST", "/v1/business/payouts", "{");
  },
  async unknown({ account }) {
    await call(account, "GET", "/v1/nothing");
  },
};

const names = Object.keys(actions);
/** Actions that lead to money, without which most others are refused. */
const shop = ["profile", "payoutAccount", "virtualAccount", "pay", "move", "payout"];
const chat = ["plan", "channels", "personWrites", "question", "channelCode"];

/** Returns the names of the actions of a session. */
export function planSession(seed: string): string[] {
  const random = Random.seeded(seed, "plan");
  const pick = <T>(values: readonly T[]) => values[random.integer(0, values.length - 1)] as T;
  const start = pick([[], shop, chat, ["freeze", "webhook", ...shop], ["webhook", ...shop, "advance"]]);
  return [...start, ...Array.from({ length: random.integer(4, 14) }, () => pick(names))];
}

/** Returns an empty account whose dice depend on the name alone, also when a test is tried again. */
export async function accountOf(
  sandbox: { account(input: { key: string }): SandboxAccount },
  name: string,
): Promise<SandboxAccount> {
  const account = sandbox.account({ key: `svc_test_${name.replace(/\W/g, "_")}` });
  await account.reset();
  return account;
}

/** Plays a session on an account. */
export async function playSession(
  account: SandboxAccount,
  seed: string,
  plan = planSession(seed),
): Promise<void> {
  const random = Random.seeded(seed, "values");
  const pick = <T>(values: readonly T[]) => values[random.integer(0, values.length - 1)] as T;
  const made: Made = { ids: {} };
  const session: Session = {
    account,
    random,
    made,
    pick,
    id: (kind) => pick([...(made.ids[kind] ?? []), ...(made.ids[kind] ?? []), "none_0"]),
    keep(kind, reply, name = "id") {
      if (reply.status < 300) made.ids[kind] = [...(made.ids[kind] ?? []), reply.body[name]];
      return reply;
    },
  };
  for (const name of plan)
    await actions[name]?.(session).catch((error: Error) => {
      // A truncated reply is a part of the session.
      if (!/terminated|fetch failed|aborted|JSON|socket/i.test(error.message)) throw error;
    });
}
