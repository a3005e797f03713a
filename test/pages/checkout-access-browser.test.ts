import { describe, expect, test } from "vitest";
import { tooLow } from "../support/browser.js";
import {
  button,
  fields,
  focused,
  heading,
  pay,
  shows,
  testCard,
  useCheckouts,
  values,
} from "./checkout-customer.js";
import { declinedCard, outcomeOf, steppedCard } from "./checkouts.js";

const checkouts = useCheckouts();

test("the keyboard is enough", async () => {
  const { page } = await checkouts.open();
  const order: string[] = [];
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press("Tab");
    order.push(await focused(page));
  }
  expect(order.slice(0, 4)).toEqual(["number", "expiry", "code", "Pay ₦12,345.50"]);
  expect(order[4]).toMatch(/^Pays\s*4242 4242 4242 4242$/);
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await shows(page, "Is this payment yours?");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Approve");
  await page.keyboard.press("Enter");
  await shows(page, "This is your receipt.");
});

describe("without JavaScript", () => {
  test("a test card is a link that fills in the form, and the form pays", async () => {
    const { page, ...checkout } = await checkouts.open({ javaScript: false });
    await testCard(page, "Has insufficient funds").click();
    expect((await values(page))[0]).toBe("4000 0000 0000 9995");
    await button(page, /^Pay/).click();
    expect(await page.getByRole("alert").textContent()).toContain(
      "The card has insufficient funds. Try another one.",
    );
    await testCard(page, "Pays 4242").click();
    expect(await page.getByRole("alert").count()).toBe(0);
    await button(page, /^Pay/).click();
    expect(await heading(page).textContent()).toBe("You paid Ada Stores");
    expect((await outcomeOf(checkout)).kinds).toEqual(["payment.failed", "payment.received"]);
  });

  test("a real card is refused and its number not repeated", async () => {
    const { page, url } = await checkouts.open({ javaScript: false });
    await pay(page, "5555 5555 5555 4444", "12 / 31");
    expect(await page.getByRole("alert").textContent()).toContain("This is not a test card.");
    expect(await values(page)).toEqual(["", "", ""]);
    expect((await page.content()).replace(/\s/g, "")).not.toContain("5555555555554444");
    expect(page.url()).toBe(url);
  });

  test("a second step works, and can be left for another card", async () => {
    const { page } = await checkouts.open({ javaScript: false });
    await pay(page, steppedCard);
    await page.getByRole("link", { name: "Pay with another card" }).click();
    await pay(page, steppedCard);
    await button(page, "Approve").click();
    expect(await heading(page).textContent()).toBe("You paid Ada Stores");
  });
});

describe("on every screen", () => {
  test.each(["phone", "desktop"] as const)(
    "of a %s, controls are at least 44 pixels high and nothing overflows",
    async (screen) => {
      const { page, complaints } = await checkouts.open({ screen });
      const look = async () => {
        expect(await tooLow(page, "main :is(a, button, input)")).toEqual([]);
        for (const width of screen === "phone" ? [390, 320] : [1280, 960]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        }
        expect(await heading(page).count()).toBe(1);
      };
      await look();
      await pay(page, declinedCard);
      await shows(page, "The bank declined the card.");
      await look();
      await pay(page, steppedCard);
      await shows(page, "Is this payment yours?");
      await look();
      await button(page, "Approve").click();
      await shows(page, "This is your receipt.");
      await look();
      expect(complaints).toEqual([]);
    },
  );

  test("the expiry and the security code are on one line, each with a label of one line", async () => {
    const { page } = await checkouts.open({ screen: "phone" });
    await page.setViewportSize({ width: 390, height: 800 });
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) as { y: number; height: number };
    const [expiry, code] = [await boxOf("#expiry"), await boxOf("#code")];
    expect(expiry.y).toBe(code.y);
    const line = await boxOf("label[for=number]");
    for (const name of ["expiry", "code"])
      expect((await boxOf(`label[for=${name}]`)).height, name).toBe(line.height);
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.locator("#expiry").fill("1");
    expect((await boxOf("#expiry")).y).toBe((await boxOf("#code")).y);
  });

  test("it has a language, landmarks, and a name for each field", async () => {
    const { page } = await checkouts.open();
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    for (const role of ["banner", "main", "contentinfo", "complementary"] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    for (const label of fields) expect(await page.getByLabel(label).count(), label).toBe(1);
    expect(await page.getByRole("complementary", { name: "Test cards" }).count()).toBe(1);
  });
});
