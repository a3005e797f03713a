import { expect, test } from "./fixtures.js";

const phone = "08031234567";

test.beforeEach(async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Name").fill("Chidi Obi");
  await page.getByLabel("Phone").fill(phone);
  await page.getByRole("button", { name: "Send code" }).click();
});

test.describe("signing in", () => {
  test("needs the code that was sent to the phone", async ({ page, otp }) => {
    const code = await otp(phone);
    await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("status")).toHaveText("That code is wrong or has expired.");

    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Welcome, Chidi Obi" })).toBeVisible();
  });

  test("fails ten minutes later, when the code has expired", async ({ page, account, otp }) => {
    await page.getByLabel("Code").fill(await otp(phone));
    await account.advance("10m");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("status")).toHaveText("That code is wrong or has expired.");
  });
});

test.describe("a customer who is signed in", () => {
  test.beforeEach(async ({ page, otp }) => {
    await page.getByLabel("Code").fill(await otp(phone));
    await page.getByRole("button", { name: "Sign in" }).click();
  });

  test("pays by card, and the shop learns of it by webhook", async ({ page, account, payCheckout }) => {
    await page.getByRole("button", { name: "Buy coffee" }).click();
    await payCheckout();
    await expect(page.getByRole("heading", { name: "You paid Ada Stores" })).toBeVisible();

    // Webhooks that are due have been delivered when this resolves.
    await account.advance("1s");
    await page.goto("/");
    await expect(page.getByRole("listitem")).toHaveText("Coffee: paid");
  });

  test("can use another card after one was declined", async ({ page, account, payCheckout }) => {
    await page.getByRole("button", { name: "Buy coffee" }).click();
    await payCheckout({ card: "card_declined" });
    await expect(page.getByRole("alert")).toContainText("The bank declined the card.");
    await payCheckout({ card: "second_step" });

    await account.advance("1s");
    await page.goto("/");
    await expect(page.getByRole("listitem")).toHaveText("Coffee: paid");
  });

  test("has not paid after declining at the bank", async ({ page, account, payCheckout }) => {
    await page.getByRole("button", { name: "Buy coffee" }).click();
    await payCheckout({ card: "second_step", secondStep: "decline" });

    await account.advance("1s");
    await page.goto("/");
    await expect(page.getByRole("listitem")).toHaveText("Coffee: not paid");
    expect(await account.events.list({ event: "payment.failed" })).toHaveLength(1);
  });

  test("confirms the address by being there", async ({ page, account, visitConfirmPage }) => {
    await page.getByLabel("Address").fill("12 Allen Avenue, Ikeja, Lagos");
    await page.getByRole("button", { name: "Deliver here" }).click();
    await expect(page.getByText("Delivery to 12 Allen Avenue, Ikeja, Lagos: pending")).toBeVisible();
    const link = page.getByRole("link", { name: "Confirm your address" });
    await visitConfirmPage((await link.getAttribute("href")) ?? "");

    await account.advance("1s");
    await page.reload();
    await expect(page.getByText("Delivery to 12 Allen Avenue, Ikeja, Lagos: verified")).toBeVisible();
  });
});
