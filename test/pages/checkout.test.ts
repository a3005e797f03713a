import { describe, expect, test } from "vitest";
import { testCards } from "../../src/service/business/charges.js";
import { customer, payingCard } from "../service/business/shop.js";
import { show } from "../support/address-check.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { approve, type Changes, card, openCheckout, send, sendAndFollow, steppedCard } from "./checkouts.js";

const sandbox = useListeningSandbox();
const fresh = (changes?: Changes) => openCheckout(sandbox.account(), changes);
const grouped = (number: string) => number.replace(/\d{4}(?=\d)/g, "$& ");

describe("the page", () => {
  test("shows business, amount, purpose and customer, and asks for a card", async () => {
    const { url } = await fresh();
    const { status, html } = await show(url);
    expect(status).toBe(200);
    for (const text of ["<bdi>Ada Stores</bdi>", "₦12,345.50", "Order 1042", customer.customer_name])
      expect(html).toContain(text);
    expect(html).toContain("<title>To be paid: ₦12,345.50 to Ada Stores · Standin sandbox</title>");
    for (const of of ["cc-number", "cc-exp", "cc-csc"]) expect(html).toContain(`autocomplete="${of}"`);
  });

  test("shows each test card with its effect, and a link that fills in the form", async () => {
    const { url } = await fresh();
    const { html } = await show(url);
    for (const { number, note } of testCards) {
      expect(html).toContain(`<strong>${note.charAt(0).toUpperCase()}${note.slice(1)}</strong>`);
      const filled = await show(`${url}?card=${number.slice(-4)}`);
      expect(filled.html).toContain(`value="${grouped(number)}"`);
      expect(filled.html.match(/aria-current/g)).toHaveLength(1);
    }
  });

  test.each(["1111", payingCard, "<script>", "4242&card=4242", ""])(
    "fills in nothing for an unknown card: ?card=%s",
    async (asked) => {
      const { status, html } = await show(`${(await fresh()).url}?card=${asked}`);
      expect(status).toBe(200);
      expect(html).toContain('id="number" name="number" value=""');
      expect(html).not.toContain("aria-current");
    },
  );

  test("fills in an expiry date in the future of the account's clock", async () => {
    const { account, url } = await fresh();
    await account.clock.freeze("2098-06-15T12:00:00Z");
    const { html } = await show(`${url}?card=4242`);
    expect(html).toContain('value="12 / 00"');
    expect((await send(url, card(payingCard, "12 / 00"))).status).toBe(303);
  });

  test("escapes markup in business, description and customer", async () => {
    const hostile = `"><img src=x onerror=alert(1)><script>alert('1')</script>&`;
    const { url } = await fresh({
      profile: { business_name: hostile },
      charge: { customer_name: hostile, description: hostile },
    });
    const pages = [
      await show(url),
      await sendAndFollow(url, card(steppedCard)),
      await sendAndFollow(url, approve),
    ];
    for (const { html } of pages) {
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain("<script>");
      expect(html.split("&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;").length).toBeGreaterThan(4);
    }
  });

  test("runs only its own script and style, cannot be framed, and is not cached", async () => {
    const { url } = await fresh();
    for (const shown of [await show(url), await send(url, {}), await sendAndFollow(url, card(payingCard))]) {
      expect(shown.headers.get("content-security-policy")).toBe(
        "default-src 'none';style-src 'self';script-src 'self';img-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
      );
      expect(shown.headers.get("cache-control")).toBe("no-store");
      expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
      expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
      expect(shown.html).not.toMatch(
        /<style|\sstyle=|\son\w+=|javascript:|https?:|<script(?! src="\.\.\/\.\.\/checkout\.js")/i,
      );
    }
  });

  test.each(["pages.css", "checkout.js"])("loads %s", async (name) => {
    expect((await show(`${sandbox.url}/${name}`)).status).toBe(200);
  });

  test("works for the charge of a live key", async () => {
    const { url } = await openCheckout(sandbox.account({ mode: "live" }));
    expect((await sendAndFollow(url, card(payingCard))).html).toContain("You paid");
  });

  test.each([
    ["the id of no account", "acct_aaaaaaaaaaaaaaaa/chg_x"],
    ["an invalid account id", "acct_AAAAAAAAAAAAAAAA/chg_x"],
    ["a path traversal", "..%2F..%2Fetc/passwd"],
    ["bytes that are not UTF-8", "%ff/%ff"],
    ["a property of every object", "__proto__/constructor"],
  ])("is not found for %s", async (_what, path) => {
    for (const shown of [
      await show(`${sandbox.url}/pay/${path}`),
      await send(`${sandbox.url}/pay/${path}`, card(payingCard)),
    ]) {
      expect(shown.status).toBe(404);
      expect(shown.headers.get("cache-control")).toBe("no-store");
      expect(shown.html).toContain("<h1>This link does not work</h1>");
    }
  });

  test("is not found for the charge of another account, and for another kind of record", async () => {
    const { account, reference, url } = await fresh();
    const other = (await fresh()).url.split("/").at(-2) as string;
    const { body } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    for (const wrong of [url.replace(/acct_\w+/, other), url.replace(reference, body.id)])
      expect((await show(wrong)).status).toBe(404);
  });
});
