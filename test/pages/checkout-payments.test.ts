import { describe, expect, test } from "vitest";
import { payingCard } from "../service/business/shop.js";
import { show } from "../support/address-check.js";
import { useListeningSandbox } from "../support/sandbox.js";
import {
  approve,
  type Changes,
  card,
  decline,
  declinedCard,
  openCheckout,
  outcomeOf,
  send,
  sendAndFollow,
  steppedCard,
} from "./checkouts.js";

const sandbox = useListeningSandbox();
const fresh = (changes?: Changes) => openCheckout(sandbox.account(), changes);

describe("a card", () => {
  test("that is accepted leads back to the page, which shows the receipt", async () => {
    const checkout = await fresh();
    const { account, url, reference } = checkout;
    await account.clock.freeze("2027-03-01T08:30:00Z");
    const { status, headers } = await send(`${url}?card=4242`, card("4242-4242 4242 4242"));
    expect(status).toBe(303);
    expect(new URL(headers.get("location") as string, url).href).toBe(url);
    const { html } = await show(url);
    expect(html).toContain("<title>Paid: ₦12,345.50 to Ada Stores · Standin sandbox</title>");
    for (const text of ["You paid", "₦12,345.50", "4242</span>", reference, "nothing more to do"])
      expect(html).toContain(text);
    expect(html).toContain('<time datetime="2027-03-01T08:30:00.000Z">Mon, 1 Mar 2027, 09:30 WAT</time>');
    expect(html).not.toContain("<form");
    expect(html).not.toContain("4242 4242");
    expect(await outcomeOf(checkout)).toEqual({ status: "success", kinds: ["payment.received"] });
    const { history } = await account.records.get(reference);
    expect(history.at(-1)).toMatchObject({ move: "pay", from: "open", to: "paid", by: "page" });
  });

  test.each([
    [declinedCard, "The bank declined the card.", "card_declined"],
    ["4000000000009995", "The card has insufficient funds. Try another one.", "insufficient_funds"],
    ["4000000000000069", "The card has expired.", "expired_card"],
  ])("%s is declined, and another one is accepted", async (number, sentence, code) => {
    const checkout = await fresh();
    const { html } = await sendAndFollow(checkout.url, card(number));
    expect(html).toContain("<title>Problem: Not paid yet");
    expect(html).toMatch(
      new RegExp(`role="alert"[^>]*>\\s*<h2>.*The payment did not go through</h2>\n<p>${sentence}`),
    );
    expect(html).toContain(`<code>${code}</code>`);
    expect(await outcomeOf(checkout)).toEqual({ status: "failed", kinds: ["payment.failed"] });
    expect((await show(`${checkout.url}?card=4242`)).html).not.toContain('role="alert"');
    expect((await sendAndFollow(checkout.url, card(payingCard))).html).toContain("You paid");
    expect((await outcomeOf(checkout)).kinds).toEqual(["payment.failed", "payment.received"]);
  });

  test("above what the business may receive is paid for the customer, and shown as held to testers", async () => {
    const checkout = await fresh({ charge: { amount: 5_000_000 } });
    await checkout.shop.transfer(1_000);
    const { html } = await sendAndFollow(checkout.url, card(payingCard));
    expect(html).toContain("<title>Paid: ₦5,000,000.00");
    const [receipt, note] = html.split("<aside") as [string, string];
    expect(receipt).toContain("This is your receipt.");
    expect(receipt).not.toContain("held");
    expect(note).toContain("<code>held</code>");
    expect(note).toContain("business_verified");
  });

  test("whose refunds fail is accepted, with a note for testers", async () => {
    const { url } = await fresh();
    const { html } = await sendAndFollow(url, card("4000000000005126"));
    expect(html).toContain("This is your receipt.");
    expect(html).toContain("A refund to this card will fail.");
  });

  test("with a refund has its amount on the receipt", async () => {
    const { url, shop, account } = await fresh();
    await send(url, card(payingCard));
    const [{ id }] = await shop.payments();
    await shop.refund(id, 2_345.5);
    await account.advance("1m");
    expect((await show(url)).html).toContain("<dt>Refunded</dt><dd>₦2,345.50</dd>");
  });
});

describe("the second step", () => {
  test("asks as a bank would, and pays if it is approved", async () => {
    const checkout = await fresh();
    const { html } = await sendAndFollow(checkout.url, card(steppedCard));
    for (const text of [
      "Is this payment yours?",
      "Sandbox Bank",
      "3184</span>",
      'value="decline"',
      "₦12,345.50",
    ])
      expect(html).toContain(text);
    expect((await sendAndFollow(checkout.url, approve)).html).toContain("You paid");
    expect(await outcomeOf(checkout)).toEqual({ status: "success", kinds: ["payment.received"] });
  });

  test("fails if it is declined, and shows the form again", async () => {
    const checkout = await fresh();
    await send(checkout.url, card(steppedCard));
    const { html } = await sendAndFollow(checkout.url, decline);
    expect(html).toContain("The payment was not confirmed with the bank.");
    expect(html).toContain('id="number"');
    expect(await outcomeOf(checkout)).toEqual({ status: "failed", kinds: ["payment.failed"] });
  });

  test("can be left for another card", async () => {
    const { url } = await fresh();
    expect((await sendAndFollow(url, card(steppedCard))).html).toContain('href="?card=#card"');
    expect((await show(`${url}?card=`)).html).toContain('id="number"');
    const wrong = await send(url, card(payingCard, "13 / 99"));
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('id="number"');
    expect((await sendAndFollow(url, card(payingCard))).html).toContain("You paid");
  });
});
