/** Behaviour that a mistake of the build could change: texts outside ASCII, and errors that cross parts of the program. */
import { describe, expect, test } from "vitest";
import { card, declinedCard, openCheckout, outcomeOf, send } from "../pages/checkouts.js";
import { payingCard } from "../service/business/shop.js";
import { mainLine } from "../service/channels/line.js";
import { atTheAddress, bill, sendForm, show, startCheck } from "../support/address-check.js";
import { post } from "../support/sandbox.js";
import { useProgram } from "./use-program.js";

const program = useProgram();

describe("texts outside ASCII", () => {
  test.each([
    ["Zoë", "Zo", "pending"],
    ["Zoë", "zoë!", "verified"],
    ...["’", "ʼ", "ʹ", "ʻ", "ˈ", "´", "`"].map((mark) => ["O'Neil", `O${mark}Neil`, "verified"]),
  ])("the answer %s is compared with %s: %s", async (expected, text, status) => {
    const line = await mainLine(program.account());
    const question = await line.question({ expected });
    await line.move(question, "answer", { text });
    expect(await line.result(question)).toMatchObject({ status });
  });

  test.each([
    ["Ɓala", "Bala"],
    ["Søren", "Soren"],
    ["Weiß", "Weiss"],
    ["Ŋma", "Nma"],
  ])("the name %s is the same as %s", async (last_name, submitted) => {
    const account = program.account();
    const person = { first_name: "Ada", last_name, bvn: "22876543210" };
    expect((await post(account, "/_sandbox/people", person)).status).toBe(201);
    const { body } = await post(account, "/v1/verify/bvn", { ...person, last_name: submitted });
    expect(body).toMatchObject({ match: true, confidence_score: 100 });
  });

  test("sentences may end with a typographic quotation mark or an ellipsis", async () => {
    const ends = [".”", "…", ".’", "…”"];
    const sentences = Array.from(
      { length: 24 },
      (_, at) =>
        `Number ${at} of the many people here said that it would rain again${ends[at % ends.length]}`,
    );
    const { body } = await post(program.account(), "/v1/media-scan/text", { text: sentences.join(" ") });
    expect(JSON.stringify(body)).toContain("24 sentences");
  });

  test("a wordmark makes room for capital letters with marks", async () => {
    const logo = async (company_name: string): Promise<string | undefined> => {
      const colours = { primary_color: "#0F766E", secondary_color: "#F59E0B" };
      const input = { company_name, style: "wordmark", size: 256, ...colours };
      const { body } = await post(program.account(), "/v1/tools/generate-logo", input);
      return /font-size="([^"]+)"/.exec(body)?.[1];
    };
    expect(await logo("ÀÉỌ ṢÙÚ Ltd")).toBe(await logo("AEO SUU Ltd"));
  });
});

describe("the hosted pages", () => {
  test.each([
    ["no number", card(""), "Enter the card number."],
    ["a card that is not a test card", card("5555555555554444"), "This is not a test card."],
    ["an expired card", card(payingCard, "01/20"), "01 / 20 is in the past."],
    ["no security code", card(payingCard, "12/99", ""), "Enter the security code."],
    ["nothing", {}, "Enter the expiry date."],
  ])("the checkout explains %s", async (_what, fields, sentence) => {
    const { url } = await openCheckout(program.account());
    const { status, html } = await send(url, fields as Record<string, string>);
    expect(status).toBe(400);
    expect(html).toContain(sentence);
  });

  test("the checkout takes one payment, and answers a second one with its receipt", async () => {
    const checkout = await openCheckout(program.account());
    expect((await send(checkout.url, card(payingCard))).status).toBe(303);
    const second = await send(checkout.url, card(declinedCard));
    expect(second.status).toBe(409);
    expect(second.html).toContain("This is already paid");
    expect(await outcomeOf(checkout)).toMatchObject({ status: "success" });
  });

  test("the checkout shows a declined card, and that a charge is unknown", async () => {
    const checkout = await openCheckout(program.account());
    expect((await send(checkout.url, card(declinedCard))).status).toBeLessThan(500);
    expect((await show(`${checkout.url}x`)).status).toBe(404);
    expect((await send(`${checkout.url}x`, card(payingCard))).status).toBe(404);
  });

  test.each([
    ["a file of another type", bill("bill.png", Buffer.from("hello")), 415],
    ["an empty file", bill("bill.png", Buffer.alloc(0)), 400],
    ["no file", { proof: "document" }, 400],
    ["an impossible place", { proof: "location", latitude: "91", longitude: "3", accuracy_m: "5" }, 400],
    ["a provider that is down", bill("provider_down.png"), 503],
  ])("the confirmation of an address explains %s", async (_what, fields, status) => {
    const { confirm_url } = await startCheck(program.account());
    const shown = await sendForm(confirm_url, fields);
    expect(shown.status).toBe(status);
    expect(shown.html).toContain('role="alert"');
  });

  test("an address is confirmed once", async () => {
    const { confirm_url } = await startCheck(program.account());
    expect((await show(confirm_url)).status).toBe(200);
    expect((await sendForm(confirm_url, atTheAddress)).status).toBe(303);
    expect((await sendForm(confirm_url, atTheAddress)).status).toBe(409);
    expect((await show(`${confirm_url}x`)).status).toBe(404);
  });

  test.each(["/", "/start", "/docs", "/docs/assumptions", "/docs/exports", "/openapi.json"])(
    "%s is shown",
    async (path) => {
      const { status } = await show(program.url + path, { headers: { Accept: "text/html" } });
      expect(status).toBe(200);
    },
  );

  test("a receiver refuses a delivery without a signature", async () => {
    const { status } = await show(`${program.url}/receiver/unknown`, { method: "POST", body: "{}" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});
