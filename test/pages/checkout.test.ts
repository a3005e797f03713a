import { describe, expect, test } from "vitest";
import { testCards } from "../../src/service/business/cards.js";
import { customer, payingCard } from "../service/business/shop.js";
import { show } from "../support/address-check.js";
import { post, useSandbox } from "../support/sandbox.js";
import { approve, type Changes, card, openCheckout, send, sendAndFollow, steppedCard } from "./checkouts.js";

const sandbox = useSandbox();
const fresh = (changes?: Changes) => openCheckout(sandbox.account(), changes);
const grouped = (number: string) => number.replace(/\d{4}(?=\d)/g, "$& ");

describe("the page", () => {
  test("says whom one pays, how much, what for and who, and takes a card", async () => {
    const { url } = await fresh();
    const { status, html } = await show(url);
    expect(status).toBe(200);
    for (const said of ["<bdi>Ada Stores</bdi>", "₦12,345.50", "Order 1042", customer.customer_name])
      expect(html).toContain(said);
    expect(html).toContain("<title>To be paid: ₦12,345.50 to Ada Stores · Standin sandbox</title>");
    for (const of of ["cc-number", "cc-exp", "cc-csc"]) expect(html).toContain(`autocomplete="${of}"`);
  });

  test("shows each test card with what it does, and a link that fills it in", async () => {
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
    "fills in nothing for a card that it does not know: ?card=%s",
    async (asked) => {
      const { status, html } = await show(`${(await fresh()).url}?card=${asked}`);
      expect(status).toBe(200);
      expect(html).toContain('id="number" name="number" value=""');
      expect(html).not.toContain("aria-current");
    },
  );

  test("fills in an expiry date that lies ahead on the account's clock", async () => {
    const { account, url } = await fresh();
    await account.clock.freeze("2098-06-15T12:00:00Z");
    const { html } = await show(`${url}?card=4242`);
    expect(html).toContain('value="12 / 00"');
    expect((await send(url, card(payingCard, "12 / 00"))).status).toBe(303);
  });

  test("escapes a business, a description and a customer that are full of markup", async () => {
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

  test("runs nothing but the sandbox's own script and style, is framed by nobody and kept by no cache", async () => {
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

  test.each(["checkout.css", "checkout.js"])("finds its %s", async (name) => {
    expect((await show(`${sandbox.url}/${name}`)).status).toBe(200);
  });

  test("is there for a live key's charge too", async () => {
    const { url } = await openCheckout(sandbox.account({ mode: "live" }));
    expect((await sendAndFollow(url, card(payingCard))).html).toContain("You paid");
  });

  test.each([
    ["an id that no account has", "acct_aaaaaaaaaaaaaaaa/chg_x"],
    ["an account's id of another form", "acct_AAAAAAAAAAAAAAAA/chg_x"],
    ["a path out of the folder", "..%2F..%2Fetc/passwd"],
    ["bytes that are no text", "%ff/%ff"],
    ["a name that every object has", "__proto__/constructor"],
  ])("leads nowhere for %s", async (_what, path) => {
    for (const shown of [
      await show(`${sandbox.url}/pay/${path}`),
      await send(`${sandbox.url}/pay/${path}`, card(payingCard)),
    ]) {
      expect(shown.status).toBe(404);
      expect(shown.headers.get("cache-control")).toBe("no-store");
      expect(shown.html).toContain("<h1>This link leads nowhere</h1>");
    }
  });

  test("leads nowhere for a charge of another account, and for a record of another kind", async () => {
    const { account, reference, url } = await fresh();
    const other = (await fresh()).url.split("/").at(-2) as string;
    const { body } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    for (const wrong of [url.replace(/acct_\w+/, other), url.replace(reference, body.id)])
      expect((await show(wrong)).status).toBe(404);
  });
});
