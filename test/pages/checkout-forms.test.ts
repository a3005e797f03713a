import { describe, expect, test } from "vitest";
import { payingCard } from "../service/business/shop.js";
import { show } from "../support/address-check.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { approve, card, openCheckout, outcomeOf, send, steppedCard } from "./checkouts.js";

const sandbox = useListeningSandbox();
const fresh = () => openCheckout(sandbox.account());
const untouched = { status: "pending", kinds: [] };
const real = "5555555555554444";

describe("a form that the page did not send", () => {
  test.each([
    ["multipart", 415, { body: new FormData() }],
    ["JSON", 415, { body: "{}", headers: { "Content-Type": "application/json" } }],
    [
      "another encoding",
      415,
      { body: "a=1", headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-16" } },
    ],
    ["compressed", 415, { body: new URLSearchParams(), headers: { "Content-Encoding": "gzip" } }],
    ["too large", 413, { body: new URLSearchParams({ number: real.repeat(2_000) }) }],
    [
      "of too many fields",
      413,
      {
        body: new URLSearchParams(Array.from({ length: 21 }, (_, i) => [`f${i}`, real] as [string, string])),
      },
    ],
    ["with fields in fields", 400, { body: new URLSearchParams({ "number[a]": real }) }],
    [
      "with the same field twice",
      400,
      {
        body: new URLSearchParams([
          ["number", payingCard],
          ["number", payingCard],
        ]),
      },
    ],
  ])("is refused: %s", async (_what, status, init) => {
    const checkout = await fresh();
    const shown = await show(checkout.url, { method: "POST", ...init } as RequestInit);
    expect(shown.status).toBe(status);
    expect(shown.html).not.toContain(real);
    expect(shown.html).toMatch(/<h[12]>.*(This form could not be read|Please correct these fields)<\/h[12]>/);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(await outcomeOf(checkout)).toEqual(untouched);
    expect(sandbox.warnings).toEqual([]);
  });

  test("is refused with 409 if it answers a second step that was not asked for", async () => {
    const checkout = await fresh();
    const { status, html } = await send(checkout.url, approve);
    expect(status).toBe(409);
    expect(html).toContain("Your bank is not waiting for an answer");
    expect(html).toContain('id="number"');
    expect(await outcomeOf(checkout)).toEqual(untouched);
  });

  test("is refused with 400 if it answers a second step with an unknown value", async () => {
    const checkout = await fresh();
    await send(checkout.url, card(steppedCard));
    const { status, html } = await send(checkout.url, { second_step: `"><b>${real}` });
    expect(status).toBe(400);
    expect(html).toContain("Is this payment yours?");
    expect(html).not.toContain(real);
    expect(await outcomeOf(checkout)).toEqual(untouched);
  });

  test("is refused with 405 for other methods", async () => {
    const { status, headers } = await show((await fresh()).url, { method: "DELETE" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  test.each([
    ["its Origin", { Origin: "https://evil.example" }],
    ["the browser", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
    ["the browser, of a page on another port", { "Sec-Fetch-Site": "same-site" }],
  ])("changes nothing if %s shows that another site sent it", async (_what, headers) => {
    const checkout = await fresh();
    const shown = await send(checkout.url, card(payingCard), headers as Record<string, string>);
    expect(shown.status).toBe(403);
    expect(shown.html).toContain("<h1>Another site sent this form</h1>");
    expect(await outcomeOf(checkout)).toEqual(untouched);
  });
});
