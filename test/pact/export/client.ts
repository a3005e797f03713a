/** A client that calls every group of the service. */
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { call, post } from "../../support/sandbox.js";

/** Personal data of an undocumented person, which must not appear in a pact. */
export const secrets = {
  phone: "08095551234",
  bvn: "22512345678",
  nin: "70987654321",
  first: "Olumide",
  last: "Fashola",
  email: "olumide.fashola@mail.test",
  account: "0455566677",
};

export async function drive(account: SandboxAccount): Promise<void> {
  await people(account);
  await services(account);
  await messages(account);
  await business(account);
}

async function people(account: SandboxAccount): Promise<void> {
  const { phone, bvn, nin, first, last } = secrets;
  const started = await post(account, "/v1/phone/verify/start", { phone, reference: "signup-1" });
  const { id } = started.body;
  const { codes } = await account.inbox.wait();
  await post(account, "/v1/phone/verify/check", { id, code: codes[0] === "111111" ? "222222" : "111111" });
  await post(account, "/v1/phone/verify/check", { id, code: codes[0] });
  await post(account, "/v1/phone/verify/check", { id, code: codes[0] });
  await post(account, "/v1/phone/verify/check", { id: "phv_unknown1", code: "123456" });
  await post(account, "/v1/phone/verify/start", { phone: "12" });
  await post(account, "/v1/phone/verify/start", { phone }, { "X-Sandbox-Outcome": "rate_limited" });
  await post(account, "/v1/verify/bvn", { bvn, first_name: first, last_name: last });
  await post(account, "/v1/verify/bvn", { bvn: "22222222221" });
  await post(account, "/v1/verify/bvn", { bvn: "2251234567" });
  await post(account, "/v1/verify/bvn", { first_name: first });
  await post(account, "/v1/verify/bvn", { bvn: Number(bvn), last_name: last });
  await post(account, "/v1/verify/bvn", { bvn, mothers_name: last, [secrets.email]: phone });
  await post(account, "/v1/verify/bvn", `{"bvn": "${bvn}"`);
  await post(account, "/v1/verify/nin", { nin, first_name: first, last_name: last });
  await post(account, "/v1/verify/frsc", { licence_number: "ABC123456789" });
  await post(account, "/v1/verify/bank-account", { account_number: secrets.account, bank_code: "058" });
  await post(account, "/v1/verify/bvn-account-match", {
    account_number: secrets.account,
    bank_code: "058",
    bvn,
  });
  const address = {
    address: "4 Herbert Macaulay Way, Yaba, Lagos",
    full_name: `${first} ${last}`,
    country: "NG",
  };
  const check = await post(account, "/v1/verify/address", address);
  const { latitude, longitude } = check.body.address;
  const there = { latitude, longitude, accuracy_m: 12 };
  await post(account, `/v1/verify/address/${check.body.id}/location`, there);
  await post(account, `/v1/verify/address/${check.body.id}/location`, there);
  await post(account, `/v1/verify/address/${secrets.email}/location`, there);
  await account.fetch("/v1/verify/liveness", { method: "POST", body: new FormData() });
  await account.update({ balance: 0 });
  await post(account, "/v1/verify/nin", { nin });
  await account.update({ balance: 1_000_000 });
}

async function services(account: SandboxAccount): Promise<void> {
  const join = { room_name: "visit-1", identity: secrets.email, role: "publisher" };
  await post(account, "/v1/streaming/video/token", join);
  await call(account, "GET", "/v1/streaming/sessions");
  await call(account, "GET", "/v1/balance");
  await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-01-31");
  await call(account, "GET", "/v1/pricing");
  const { id } = (await post(account, "/v1/audits", { url: "https://olumide.test/shop" })).body;
  await call(account, "GET", `/v1/audits/${id}`);
  const deep = (await post(account, "/v1/audits", { url: "https://olumide.test/shop", tier: "deep" })).body;
  await call(account, "GET", `/v1/audits/${deep.id}`);
  await call(account, "GET", "/v1/audits");
  await call(account, "GET", "/v1/audits/aud_unknown1");
  await post(account, "/v1/media-scan/text", { text: `I am ${secrets.first}. `.repeat(80) });
  await call(account, "GET", "/v1/media-scan");
  await post(account, "/v1/tools/generate-logo", {
    company_name: `${secrets.last} & Sons`,
    style: "badge",
    primary_color: "#0F766E",
    secondary_color: "#FFF",
    size: 128,
  });
  const { token } = await account.control<{ token: string }>("POST", "/session-token");
  const session = { Authorization: `Bearer ${token}` };
  const domain = await post(account, "/v1/domains/verify/start", { domain: "olumide.test" }, session);
  await post(account, "/v1/domains/verify/start", { domain: "olumide.test" }, session);
  await call(account, "POST", `/v1/domains/verify/${domain.body.id}/check`, undefined, session);
}

async function messages(account: SandboxAccount): Promise<void> {
  const { id } = (await post(account, "/v1/wa/channels", { label: "Front desk" })).body;
  const channel = `/v1/wa/channels/${id}`;
  const to = "2348095551234";
  await post(account, `${channel}/send`, { to, text: `Hello ${secrets.first}` });
  await call(account, "POST", `${channel}/connect`);
  await account.moves.channel(id, "scan");
  await call(account, "GET", "/v1/wa/channels");
  await post(account, `${channel}/send`, { to, text: "Nobody asked" });
  await account.inbox.reply({ channel_id: id, from: to, text: "Hi" });
  await post(account, `${channel}/send`, {
    to,
    text: `Hello ${secrets.first} ${secrets.last}, ${secrets.bvn}`,
  });
  await post(account, `${channel}/send`, { to, image: { link: `ftp://${secrets.email}/me.png` } });
  await post(account, `${channel}/otp`, { to, reference: `${secrets.first}-1` });
  const [message] = await account.inbox.list({ to, channel: "chat" });
  await post(account, `${channel}/otp/verify`, { to, code: "1" });
  await post(account, `${channel}/otp/verify`, { to, code: message?.codes[0] });
  const question = { to, question: "Your mother's maiden name?", expected: "Adunni" };
  const asked = await post(account, `${channel}/verify-identity`, question);
  await call(account, "GET", `${channel}/verify-identity/${asked.body.id}`);
  await account.update({ plan: "starter" });
  await post(account, `${channel}/otp`, { to });
  await account.update({ plan: "business" });
}

async function business(account: SandboxAccount): Promise<void> {
  const customer = { customer_name: `${secrets.first} ${secrets.last}`, customer_email: secrets.email };
  await call(account, "GET", "/v1/business/overview");
  await post(account, "/v1/business/virtual-accounts", customer);
  const profile = {
    business_name: "Fashola Foods",
    business_type: "individual",
    contact_phone: secrets.phone,
  };
  await call(account, "PUT", "/v1/business/profile", profile);
  await post(account, "/v1/webhooks", { url: "https://olumide.test/hooks/s3cret" });
  await post(account, "/v1/webhooks", { url: "https://olumide.test/hooks/s3cret" });
  const wanted = { ...customer, bvn: secrets.bvn, reference: `${secrets.first}-1` };
  const { id } = (await post(account, "/v1/business/virtual-accounts", wanted)).body;
  await post(account, "/v1/business/virtual-accounts", wanted);
  await call(account, "GET", "/v1/business/virtual-accounts");
  const charge = { ...customer, amount: 2_500.5, description: "Two bags of rice" };
  await post(account, "/v1/business/charges", charge);
  const paid = await post(account, "/v1/business/test/simulate-payment", {
    virtual_account_id: id,
    amount: 40_000,
  });
  await call(account, "GET", "/v1/business/payments");
  await call(account, "GET", `/v1/business/payments?virtual_account_id=${id}`);
  await post(account, "/v1/business/payouts", { amount: 1_000 });
  const bank = { bank_code: "058", account_number: secrets.account };
  await call(account, "PUT", "/v1/business/payout-account", bank);
  await post(account, "/v1/business/payouts", { amount: 900_000 });
  await account.advance("25h");
  await post(account, "/v1/business/payouts", { amount: 1_000 });
  await post(account, "/v1/business/payouts", { amount: 1_500 }, { "X-Sandbox-Outcome": "rejected" });
  await post(account, "/v1/business/payouts", { amount: -1 });
  const reason = `${secrets.first} sent it back`;
  await post(account, "/v1/business/refunds", { payment_id: paid.body.payment_id, amount: 500, reason });
  await post(account, "/v1/business/refunds", { payment_id: paid.body.payment_id, amount: 90_000, reason });
  await call(account, "GET", "/v1/business/events");
}
