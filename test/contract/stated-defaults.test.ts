/** Decisions that the catalogue of assumptions states, each seen over HTTP as stated. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { openShop, payingCard, profile } from "../service/business/shop.js";
import { mainLine } from "../service/channels/line.js";
import { essay } from "../service/media/texts.js";
import { file, png } from "../support/forms.js";
import { call, post, type Reply, useSandbox } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";
import { videoOf } from "../support/videos.js";

const sandbox = useSandbox();

/** Opens an account, after checking that the default of the assumption contains this fact. */
async function accountWhere(id: string, fact: string): Promise<SandboxAccount> {
  const account = sandbox.account();
  const { items } = (await call(account, "GET", "/_sandbox/assumptions")).body;
  expect(items.find((item: { id: string }) => item.id === id)?.default).toContain(fact);
  return account;
}

const codeOf = ({ status, body }: Reply): string => `${status} ${body.error?.code ?? "accepted"}`;

test("business.payout: payouts are from NGN 50.01 to NGN 1,000,000,000, and others are out of range", async () => {
  const shop = await openShop(
    await accountWhere(
      "business.payout",
      "from NGN 50.01, since the fee has to leave something, to NGN 1,000",
    ),
  );
  await shop.setPayoutAccount();
  await shop.settledTransfer(10_000);
  const payout = async (amount: number) => codeOf(await shop.ask("POST", "/payouts", { amount }));
  for (const amount of [0, 0.01, 50, 50.001, 1_000_000_000.01, 2_000_000_000])
    expect(await payout(amount), `${amount}`).toBe("400 amount_out_of_range");
  expect(await payout(1_000_000_000)).toBe("422 insufficient_available_balance");
  expect(await shop.payout(50.01)).toMatchObject({ amount: 50.01, fee: 50, you_receive: 0.01 });
});

test("account_numbers: an account number has ten digits in every operation that takes one", async () => {
  const account = await accountWhere("account_numbers", "Ten digits; anything else gets 400");
  await openShop(account);
  const bvn = "22301948576";
  const requests = [
    ["POST", "/v1/verify/bank-account", {}],
    ["POST", "/v1/verify/bvn-account-match", { bvn }],
    ["PUT", "/v1/business/payout-account", {}],
  ] as const;
  for (const [method, path, more] of requests) {
    const send = async (account_number: string) =>
      codeOf(await call(account, method, path, { bank_code: "058", account_number, ...more }));
    for (const wrong of ["111111111", "11111111111", "111111111a", "11111 11111", ""])
      expect(await send(wrong), `${path} ${wrong}`).toBe("400 invalid_account_number");
    expect(await send("1111111111"), path).toBe("200 accepted");
  }
});

test("banks: a licence number has 4 to 20 letters or digits, whatever stands between them", async () => {
  const account = await accountWhere(
    "banks",
    "4 to 20 letters or digits; spaces, hyphens and slashes between them are ignored",
  );
  const look = (licence_number: string) => post(account, "/v1/verify/frsc", { licence_number });
  for (const right of ["AB12", "12345678901234567890", "LSR/482-13 AA05", "a-b-c-d"])
    expect(codeOf(await look(right)), right).toBe("200 accepted");
  for (const wrong of ["AB1", "A-B-1", "123456789012345678901", "LSR_48213", "/AB12", "AB12-"])
    expect(codeOf(await look(wrong)), wrong).toBe("400 invalid_licence_number");
  const adaeze = (await look("LSR48213AA05")).body.data;
  for (const notation of ["lsr48213aa05", "LSR/48213/AA05", "LSR-48213 AA05"])
    expect((await look(notation)).body.data, notation).toEqual(adaeze);
});

test("channels.numbers: `to` is 8 to 15 digits with the country code in every operation that takes it", async () => {
  const account = await accountWhere(
    "channels.numbers",
    "8 to 15 digits with the country code, not starting with 0, without a plus sign, spaces or hyphens",
  );
  await account.update({ plan: "growth" });
  const line = await mainLine(account);
  const identity = { question: "What is your mother's first name?", expected: "Ngozi" };
  const requests = [
    ["/send", { text: "Hello" }, "200 accepted"],
    ["/otp", {}, "201 accepted"],
    ["/otp/verify", { code: "123456" }, "200 accepted"],
    ["/verify-identity", identity, "201 accepted"],
  ] as const;
  for (const [path, more, accepted] of requests) {
    const send = async (to: string) => codeOf(await line.ask("POST", path, { to, ...more }));
    const wrong = ["2348031", "2348031234567890", "08031234567", "+2348031234567", "234 8031234567"];
    for (const to of [...wrong, "234-8031234567", ""])
      expect(await send(to), `${path} ${to}`).toBe("400 invalid_phone");
    for (const to of ["23480312", "234803123456789"]) expect(await send(to), `${path} ${to}`).toBe(accepted);
  }
});

test("logo.colours: a logo takes #RRGGBB and #RGB", async () => {
  const account = await accountWhere("logo.colours", "`#RRGGBB` and the short form `#RGB`");
  const logo = { company_name: "Ada Stores", style: "badge", primary_color: "#0F766E", size: 256 };
  for (const field of ["primary_color", "secondary_color"]) {
    const draw = (colour: string) =>
      post(account, "/v1/tools/generate-logo", { ...logo, secondary_color: "#F59E0B", [field]: colour });
    for (const colour of ["#123ABC", "#123abc", "#FD3", "#fd3"])
      expect((await draw(colour)).body, `${field} ${colour}`).toContain(`"${colour}"`);
    for (const colour of ["#12", "#1234", "#12345", "#1234567", "#12345678", "123abc", "#12g", "red", ""])
      expect(codeOf(await draw(colour)), `${field} ${colour}`).toBe("400 validation_error");
  }
});

test("media.verdicts: a scan is completed in its reply and in the list", async () => {
  const account = await accountWhere("media.verdicts", "always has the status `completed`");
  const replies = [
    await post(account, "/v1/media-scan/text", { text: essay }),
    await upload(account, [file("file", png)], "/v1/media-scan/image"),
    await upload(account, [file("file", await videoOf("mp4", { seconds: 3 }))], "/v1/media-scan/video"),
  ];
  const listed = (await call(account, "GET", "/v1/media-scan")).body;
  expect(listed).toHaveLength(3);
  for (const { status } of [...replies.map(({ body }) => body), ...listed]) expect(status).toBe("completed");
});

test("business.payments: `held` is gross, and the fee is charged on release", async () => {
  const shop = await openShop(
    await accountWhere(
      "business.payments",
      "`held` is the gross amount of held payments; their fee is charged",
    ),
  );
  await shop.transfer(5_000_000.01);
  expect(await shop.overview()).toMatchObject({ held: 5_000_000.01, balance: 0, fees_charged: 0 });
  await shop.verify();
  expect(await shop.overview()).toMatchObject({ held: 0, balance: 4_950_000.01, fees_charged: 50_000 });
});

test("business.payments: a failed payment above the receive limit goes to held when another card pays it", async () => {
  const shop = await openShop(
    await accountWhere(
      "business.payments",
      "from failed to success, or to held if it exceeds the receive limit",
    ),
  );
  await shop.transfer(1_000);
  const charge = await shop.charge(5_000_000);
  const pay = async (card: string) => (await shop.atCheckout(charge, { card })).body.payment;
  const failed = await pay("4000000000000002");
  expect(failed.status).toBe("failed");
  expect(await shop.overview()).toMatchObject({ held: 0 });
  expect(await pay(payingCard)).toMatchObject({ id: failed.id, status: "held" });
  expect(await shop.overview()).toMatchObject({ held: 5_000_000, received: 1_000 });
  await shop.verify();
  expect(await shop.payment(failed.id)).toMatchObject({ status: "success" });
});

test("fields.unmarked: four names and addresses must not be blank, other names may be", async () => {
  const account = await accountWhere(
    "fields.unmarked",
    "`address`, `full_name`, `business_name` and `customer_name` must not be blank",
  );
  await openShop(account);
  const person = { address: "12 Allen Avenue, Ikeja, Lagos", full_name: "Adaeze Okafor", country: "NG" };
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
  const requests = [
    ["POST", "/v1/verify/address", person, ["address", "full_name"]],
    ["PUT", "/v1/business/profile", profile, ["business_name"]],
    ["POST", "/v1/business/virtual-accounts", customer, ["customer_name"]],
    [
      "POST",
      "/v1/business/charges",
      { ...customer, amount: 500, description: "Order 1042" },
      ["customer_name"],
    ],
  ] as const;
  for (const [method, path, right, names] of requests) {
    expect((await call(account, method, path, right)).status, path).toBeLessThan(300);
    for (const name of names)
      for (const blank of ["", " ", "\t\u00a0"]) {
        const { status, body } = await call(account, method, path, { ...right, [name]: blank });
        expect({ status, ...body.error }, `${path} ${name}`).toMatchObject({
          status: 400,
          code: "validation_error",
          param: name,
        });
      }
  }
  const names = { first_name: " ", last_name: "" };
  expect((await post(account, "/v1/verify/bvn", { bvn: "22301948576", ...names })).status).toBe(200);
  const logo = { style: "badge", primary_color: "#123", secondary_color: "#456", size: 64 };
  expect((await post(account, "/v1/tools/generate-logo", { company_name: " ", ...logo })).status).toBe(200);
});

test("address.precision: a location for an unknown address scores 0 and has no distance", async () => {
  const account = await accountWhere(
    "address.precision",
    "A location for an `unknown` address scores 0 and has no `distance_m`",
  );
  const asked = { address: "12 Allen Avenue, Atlantis", full_name: "Adaeze Okafor", country: "NG" };
  const { id, address } = (await post(account, "/v1/verify/address", asked)).body;
  expect(address).toMatchObject({ precision: "unknown", latitude: 9.082, longitude: 8.6753 });
  const place = { latitude: 6.6, longitude: 3.35, accuracy_m: 12 };
  const { checks } = (await post(account, `/v1/verify/address/${id}/location`, place)).body;
  expect(checks.location).toEqual({ status: "fail", points: 0, accuracy_m: 12 });
});

test("address.required: `country` may be in lower case", async () => {
  const account = await accountWhere("address.required", "`country` may be in lower case");
  const check = (country: string) =>
    post(account, "/v1/verify/address", {
      address: "12 Allen Avenue, Ikeja, Lagos",
      full_name: "A. O.",
      country,
    });
  for (const country of ["NG", "ng", "Ng"]) expect(codeOf(await check(country))).toBe("201 accepted");
  for (const country of ["NGA", "zz", "N", ""])
    expect(codeOf(await check(country))).toBe("400 validation_error");
});

test("business.payments: `limit` stays once the certificate is verified, and no longer applies", async () => {
  const shop = await openShop(
    await accountWhere("business.payments", "`limit` stays the same once the certificate is verified"),
  );
  expect(await shop.overview()).toMatchObject({ limit: 5_000_000, remaining: 5_000_000 });
  await shop.verify();
  expect(await shop.overview()).toMatchObject({ limit: 5_000_000, remaining: null });
  expect(await shop.transfer(5_000_000.01)).toMatchObject({ status: "success" });
});

test("business.payments: a payment that fails while it is held sends payment.failed alone", async () => {
  const shop = await openShop(
    await accountWhere("business.payments", "One that fails while it is held sends payment.failed alone"),
  );
  const { payment_id } = await shop.transfer(10_000);
  await shop.move(payment_id, "raise_issue");
  await shop.move(payment_id, "fail");
  expect((await shop.kinds()).filter((kind) => kind.startsWith("payment."))).toEqual([
    "payment.received",
    "payment.issue",
    "payment.failed",
  ]);
});

test("charging: a refund of a failed delivery raises the balance, and the reply keeps the cost", async () => {
  const account = await accountWhere(
    "charging",
    "A refund of a failed delivery raises the balance; the reply of the call keeps the `cost`",
  );
  const balance = async () => (await call(account, "GET", "/v1/balance")).body.balance;
  const before = await balance();
  const failing = { "X-Sandbox-Outcome": "sms_failed" };
  const phone = { phone: "08031234567" };
  const { status, body } = await call(account, "POST", "/v1/phone/verify/start", phone, failing);
  expect([status, body.cost, await balance()]).toEqual([201, 6, before]);
  expect((await post(account, "/v1/phone/verify/start", phone)).body.cost).toBe(6);
  expect(await balance()).toBe(before - 6);
});
