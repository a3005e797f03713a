import { expect, onTestFinished, test } from "vitest";
import type { EventEntry } from "../../src/index.js";
import { payingCard } from "../service/business/shop.js";
import { expectedSignature, startReceiver } from "../support/receiver.js";
import { post } from "../support/sandbox.js";
import { button, focused, heading, pay, shows, testCard, useCheckouts, values } from "./checkout-customer.js";
import { declinedCard, outcomeOf, steppedCard } from "./checkouts.js";

const checkouts = useCheckouts();

test("a customer whose card is declined pays with another one, and both are sent as signed webhooks", async () => {
  const account = checkouts.account();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { body: endpoint } = await post(account, "/v1/webhooks", { url: receiver.url });
  const { page, complaints, shop } = await checkouts.open({}, account);
  await pay(page, declinedCard);
  await shows(page, "The bank declined the card. Try another one.");
  expect(await focused(page)).toBe("problem");
  await pay(page, payingCard);
  await shows(page, "This is your receipt.");
  expect(await heading(page).textContent()).toBe("You paid Ada Stores");
  expect(await page.title()).toBe("Paid: ₦12,345.50 to Ada Stores · Standin sandbox");

  const [payment] = await shop.payments();
  const deliveries = await receiver.got(2);
  const events = deliveries.map(({ body }) => JSON.parse(String(body)) as EventEntry);
  expect(events).toMatchObject([
    { event: "payment.failed", data: { id: payment.id, status: "failed", amount: 12_345.5 } },
    { event: "payment.received", data: { id: payment.id, status: "success", method: "card" } },
  ]);
  for (const { headers, body } of deliveries)
    expect(headers["x-service-signature"]).toBe(expectedSignature(body, endpoint.secret));
  expect(complaints).toEqual([]);
});

test("a click on a test card fills in the form and focuses the pay button", async () => {
  const { page, complaints, url } = await checkouts.open();
  await testCard(page, "Pays, but its refunds fail").click();
  await testCard(page, "Is declined").click();
  expect(await values(page)).toEqual(["4000 0000 0000 0002", expect.stringMatching(/^12 \/ \d\d$/), "123"]);
  await shows(page, "The card ending in 0002 is filled in.");
  expect(await page.locator("[aria-current]").count()).toBe(1);
  await page.keyboard.press("Enter");
  await shows(page, "The bank declined the card.");
  expect(page.url()).toBe(url);
  expect(complaints).toEqual([]);
});

test("a card that has expired is declined, and another one pays", async () => {
  const { page, ...checkout } = await checkouts.open();
  await testCard(page, "Has expired").click();
  await button(page, /^Pay/).click();
  await shows(page, "The card has expired. Try another one.");
  await testCard(page, "Pays 4242").click();
  await button(page, /^Pay/).click();
  await shows(page, "This is your receipt.");
  expect((await outcomeOf(checkout)).kinds).toEqual(["payment.failed", "payment.received"]);
});

test("typed digits are grouped, and the caret stays in place", async () => {
  const { page } = await checkouts.open();
  await page.getByLabel("Card number").pressSequentially("4242x42424242 4242");
  await page.keyboard.press("Home");
  for (let presses = 0; presses < 7; presses++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("7");
  await page.getByLabel("Expiry").pressSequentially("3/29");
  await page.getByLabel("Security code").pressSequentially("12345");
  expect(await values(page)).toEqual(["4242 4742 4242 4242", "03 / 29", "123"]);
  await page.getByLabel("Expiry").fill("1230");
  await page.getByLabel("Expiry").press("Backspace");
  expect((await values(page))[1]).toBe("12 / 3");
});

test("a number that is not a test card does not leave the browser", async () => {
  const { page, ...checkout } = await checkouts.open();
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await pay(page, "5555 5555 5555 4444");
  await shows(page, "This is not a test card.");
  expect(await page.getByLabel("Card number").getAttribute("aria-invalid")).toBe("true");
  expect(await focused(page)).toBe("number");
  expect(posts).toEqual([]);
  await pay(page, payingCard);
  await shows(page, "This is your receipt.");
  expect((await outcomeOf(checkout)).kinds).toEqual(["payment.received"]);
});

test("a double click pays once, and a second tab shows that it is paid", async () => {
  const { page, url, ...checkout } = await checkouts.open();
  const second = await checkouts.tab();
  await second.goto(url);
  await testCard(page, "Pays 4242").click();
  await button(page, /^Pay/).dblclick();
  await shows(page, "This is your receipt.");
  expect(await page.getByRole("alert").count()).toBe(0);
  await pay(second, payingCard);
  await shows(second, "This is already paid");
  expect(await focused(second)).toBe("problem");
  expect((await outcomeOf({ url, ...checkout })).kinds).toEqual(["payment.received"]);
});

test("an expired date is linked to its field, and checked against the account's clock", async () => {
  const { page, account } = await checkouts.open();
  await account.clock.freeze("2040-01-15T12:00:00Z");
  await pay(page, payingCard, "12 / 39");
  await page.getByRole("link", { name: "12 / 39 is in the past." }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("0140");
  await page.getByLabel("Security code").fill("000");
  await page.keyboard.press("Enter");
  await shows(page, "This is your receipt.");
  await shows(page, "Sun, 15 Jan 2040, 13:00 WAT");
});

test("approving a second step pays, without errors in the browser", async () => {
  const { page, complaints, ...checkout } = await checkouts.open();
  await pay(page, steppedCard);
  await shows(page, "Is this payment yours?");
  await button(page, "Approve").click();
  await shows(page, "This is your receipt.");
  expect(await outcomeOf(checkout)).toEqual({ status: "success", kinds: ["payment.received"] });
  expect(complaints).toEqual([]);
});

test("declining a second step fails, and shows the form again", async () => {
  const { page, ...checkout } = await checkouts.open();
  await pay(page, steppedCard);
  await button(page, "Decline").click();
  await shows(page, "The payment was not confirmed with the bank.");
  expect(await outcomeOf(checkout)).toEqual({ status: "failed", kinds: ["payment.failed"] });
  await pay(page, payingCard);
  await shows(page, "This is your receipt.");
});
