import { describe, expect, test } from "vitest";
import { payingCard } from "../service/business/shop.js";
import { show } from "../support/address-check.js";
import { useListeningSandbox } from "../support/sandbox.js";
import {
  approve,
  card,
  declinedCard,
  type OpenCheckout,
  openCheckout,
  outcomeOf,
  send,
} from "./checkouts.js";

const sandbox = useListeningSandbox();
const fresh = () => openCheckout(sandbox.account());
const untouched = { status: "pending", kinds: [] };
const real = "5555555555554444";

describe("an invalid entry", () => {
  test.each([
    ["no number", card(""), ["Enter the card number."]],
    ["not a test card", card(real), ["This is not a test card."]],
    ["letters", card("my card"), ["This is not a test card."]],
    ["no expiry date", card(payingCard, ""), ["Enter the expiry date."]],
    ["an invalid month", card(payingCard, "13 / 99"), ["Enter the expiry date as month and year"]],
    ["an invalid expiry date", card(payingCard, "soon"), ["Enter the expiry date as month and year"]],
    ["an expiry date in the past", card(payingCard, "01/20"), ["01 / 20 is in the past."]],
    ["no security code", card(payingCard, "1299", " "), ["Enter the security code."]],
    ["a security code of 4 digits", card(payingCard, "12/2099", "1234"), ["The security code has 3 digits."]],
    ["nothing", {}, ["Enter the card number.", "Enter the expiry date.", "Enter the security code."]],
  ])("is explained above the form and at its field: %s", async (_what, fields, sentences) => {
    const checkout = await fresh();
    const { status, html } = await send(checkout.url, fields as Record<string, string>);
    expect(status).toBe(400);
    expect(html).toContain("<title>Problem: To be paid");
    expect(html).toMatch(/role="alert" tabindex="-1" id="problem" autofocus/);
    for (const sentence of sentences) expect(html.split(sentence)).toHaveLength(3);
    expect(html.match(/<li><a href="#(number|expiry|code)">/g)).toHaveLength(sentences.length);
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(sentences.length);
    expect(await outcomeOf(checkout)).toEqual(untouched);
  });

  test.each([
    ["5555 5555 5555 4444", "12 / 31", "987"],
    ["5555-5555-5555-4444", "5555555555554444", "5555555555554444"],
    [payingCard, "5555555555554444", "5555 5555 5555 4444"],
  ])("is never repeated on the page: %s", async (number, expiry, code) => {
    const { html } = await send((await fresh()).url, { ...card(number, expiry, code), cvv: real });
    expect(html.replace(/[\s-]/g, "")).not.toContain(real);
    expect(html).not.toContain("12 / 31");
    expect(html).not.toContain('value="987"');
  });

  test("keeps the number of a test card and the date in the form, but not the code", async () => {
    const { html } = await send((await fresh()).url, card(payingCard, "0199", "12"));
    expect(html).toContain('value="4242 4242 4242 4242"');
    expect(html).toContain('value="01 / 99"');
    expect(html).toContain('id="code" name="code" value=""');
  });

  test("is checked against the account's clock: a card is valid until the end of its month", async () => {
    const { account, url } = await fresh();
    await account.clock.freeze("2031-04-30T23:59:59Z");
    const over = await send(url, card(payingCard, "03 / 31"));
    expect(over.html).toContain("03 / 31 is in the past.");
    expect((await send(url, card(payingCard, "04 / 31"))).status).toBe(303);
  });
});

describe("a charge that is paid", () => {
  test("shows its receipt with 409 to a second payment, and charges once", async () => {
    const checkout = await fresh();
    await send(checkout.url, card(payingCard));
    for (const fields of [card(payingCard), card(declinedCard), card(real), approve, {}]) {
      const { status, html } = await send(checkout.url, fields as Record<string, string>);
      expect(status).toBe(409);
      expect(html).toContain("This is already paid");
      expect(html).toContain("This is your receipt.");
    }
    expect(await outcomeOf(checkout)).toEqual({ status: "success", kinds: ["payment.received"] });
  });

  test("by 20 tabs at once is paid once: one payment.received, and 19 receipts with 409", async () => {
    const checkout = await fresh();
    const tabs = Array.from({ length: 20 }, () => send(checkout.url, card(payingCard)));
    const shown = await Promise.all(tabs);
    const statuses = shown.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, ...Array.from({ length: 19 }, () => 409)]);
    for (const { status, html } of shown)
      if (status === 409) expect(html).toContain("You were not charged again.");
    expect(await outcomeOf(checkout)).toEqual({ status: "success", kinds: ["payment.received"] });
    expect(await checkout.account.events.list({ event: "payment.received" })).toHaveLength(1);
  });
});

describe("a payment that was moved by hand", () => {
  const paymentOf = async ({ shop }: OpenCheckout) => (await shop.payments())[0].id;

  test("accepts no card, before a form is sent and after", async () => {
    for (const move of ["succeed", "hold", "raise_issue"]) {
      const checkout = await fresh();
      await checkout.shop.move(await paymentOf(checkout), move);
      const before = await outcomeOf(checkout);
      const [opened, refused] = [await show(checkout.url), await send(checkout.url, card(declinedCard))];
      expect([opened.status, refused.status]).toEqual([200, 409]);
      expect(opened.html).toContain("This payment is closed");
      expect(opened.html).not.toContain("<form");
      expect(refused.html).toBe(opened.html);
      expect(await outcomeOf(checkout)).toEqual(before);
    }
  });

  test("to failed after it was paid is shown as returned", async () => {
    const checkout = await fresh();
    await send(checkout.url, card(payingCard));
    const id = await paymentOf(checkout);
    await checkout.shop.move(id, "raise_issue");
    expect((await show(checkout.url)).html).toContain("<code>resolve_issue</code>");
    await checkout.shop.move(id, "fail");
    expect((await show(checkout.url)).html).toContain("the money goes back to your card");
    expect((await send(checkout.url, card(payingCard))).status).toBe(409);
  });
});
