import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { type StartedCheck, startCheck } from "../support/address-check.js";
import { type PageOptions, tooLow, useBrowser } from "../support/browser.js";
import { freshFolder } from "../support/folder.js";
import { png } from "../support/forms.js";
import { expectedSignature, startReceiver } from "../support/receiver.js";
import { repetitions } from "../support/repetitions.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

/** A host other than localhost, with which browsers do not share the location over plain HTTP. */
const lan = "sandbox.lan";
const sandbox = useListeningSandbox();
const browser = useBrowser({ hosts: [lan] });

interface Opened {
  account: SandboxAccount;
  check: StartedCheck;
  page: Page;
  complaints: string[];
}

async function open(options: PageOptions = {}, account = sandbox.account()): Promise<Opened> {
  const check = await startCheck(account);
  const opened = await browser.open(options);
  await opened.page.goto(check.confirm_url);
  return { account, check, ...opened };
}

/** Opens a browser whose location is the address. */
async function openThere(account = sandbox.account()): Promise<Opened> {
  const { address } = await startCheck(account);
  return open({ location: { ...address, accuracy: 12 } }, account);
}

const button = (page: Page, name: string) => page.getByRole("button", { name });
const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const upload = async (page: Page, name: string, content: Buffer = png) => {
  const path = join(freshFolder(), name);
  writeFileSync(path, content);
  await page.getByLabel("Your bill or statement").setInputFiles(path);
  await button(page, "Upload the bill").click();
};

describe("with JavaScript", () => {
  test("a shared location at the address verifies it, and a signed webhook is sent", async () => {
    const account = sandbox.account();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { body: endpoint } = await post(account, "/v1/webhooks", { url: receiver.url });
    const { page, check, complaints } = await openThere(account);
    await button(page, "Share my location").click();
    await page.getByText("Your address is confirmed").waitFor();
    expect(await page.title()).toBe("Confirmed: address check · Standin sandbox");
    expect(await page.getByRole("img", { name: "80 of 100 points" }).isVisible()).toBe(true);

    const { record } = await account.records.get(check.id);
    expect(record).toMatchObject({
      status: "verified",
      checks: { location: { status: "pass", points: 40, distance_m: 0, accuracy_m: 12 } },
    });
    const [delivery] = await receiver.got(1);
    expect(delivery?.headers["x-service-signature"]).toBe(
      expectedSignature(delivery?.body as Buffer, endpoint.secret),
    );
    expect(JSON.parse(String(delivery?.body))).toMatchObject({
      event: "verification.completed",
      job_id: check.id,
      data: { type: "address", status: "verified", checks: { location: true, document: false } },
    });
    expect(complaints).toEqual([]);
  });

  test("a person who does not share the location can use the buttons", async () => {
    const { page, complaints } = await open();
    await button(page, "Share my location").click();
    const status = page.getByRole("status").filter({ hasText: "Your location was not shared." });
    await status.waitFor();
    await button(page, "I am at the address").click();
    await page.getByText("Your address is confirmed").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a file over 15 MB is rejected before it is sent", async () => {
    const { page } = await open();
    await upload(page, "bill.png", Buffer.alloc(16 * 1024 * 1024));
    await page.getByText("This file is 16 MB; the limit is 15 MB.").waitFor();
    expect(await heading(page)).toBe("Do you live here?");
  });

  test("a refusal has the focus and a link to its field", async () => {
    const { page } = await open();
    await upload(page, "bill.png", Buffer.from("no picture"));
    await page.getByRole("alert").waitFor();
    expect(await page.title()).toMatch(/^Problem: /);
    expect(await page.evaluate("document.activeElement.id")).toBe("problem");
    await page.getByRole("link", { name: "Choose a file" }).click();
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("Your bill or statement").getAttribute("aria-invalid")).toBe("true");
  });

  test("a page over plain HTTP explains why the location is not available, and its forms work", async () => {
    const { check } = await open();
    const { page } = await browser.open();
    await page.goto(check.confirm_url.replace("127.0.0.1", lan));
    await button(page, "Share my location").click();
    await page.getByText("Browsers only share locations with https pages and localhost.").waitFor();
    await button(page, "I am at the address").click();
    await page.getByText("Your address is confirmed").waitFor();
  });

  test("the keyboard is enough", async () => {
    const { page } = await openThere();
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    const order: string[] = [];
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press("Tab");
      order.push(await focused());
    }
    expect(order).toEqual([
      "Share my location",
      "I am at the address",
      "I am elsewhere",
      "",
      "Upload the bill",
      "For testers: how points are given",
    ]);
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press("Shift+Tab");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.press("Enter");
    await page.getByText("Your address is confirmed").waitFor();
  });
});

describe("without JavaScript", () => {
  test("the button for the location of the device is hidden, and the others work", async () => {
    const { page } = await open({ javaScript: false });
    expect(await button(page, "Share my location").isVisible()).toBe(false);
    await button(page, "I am at the address").click();
    expect(await heading(page)).toBe("Your address is confirmed");
  });

  test("a person elsewhere gets into review, and can still go to the address", async () => {
    const { page, account, check } = await open({ javaScript: false });
    await button(page, "I am elsewhere").click();
    expect(await heading(page)).toBe("Almost there");
    expect(await page.getByText("5.0 km away; 200 m is allowed.").isVisible()).toBe(true);
    await button(page, "I am at the address").click();
    expect(await heading(page)).toBe("Your address is confirmed");
    const { history } = await account.records.get(check.id);
    expect(history.map(({ to }) => to)).toEqual(["pending", "review", "verified"]);
  });

  test("the page shows what an uploaded bill contains", async () => {
    const { page } = await open({ javaScript: false });
    await upload(page, "othername.png");
    expect(await page.getByText("It shows this address, but another name.").isVisible()).toBe(true);
    await upload(page, "bill.png");
    expect(await page.getByText("It shows this address and your name.").isVisible()).toBe(true);
    expect(await page.getByRole("img", { name: "60 of 100 points" }).isVisible()).toBe(true);
  });

  test("a refusal is shown on the page", async () => {
    const { page } = await open({ javaScript: false });
    await upload(page, "provider_down.png");
    expect(await page.getByRole("alert").textContent()).toContain("503 provider_unavailable");
    await upload(page, "bill.png", Buffer.alloc(repetitions(20, 100) * 1024 * 1024));
    expect(await page.getByRole("alert").textContent()).toContain("413 file_too_large");
  });
});

describe("on every screen", () => {
  test.each(["phone", "desktop"] as const)(
    "of a %s, controls are at least 44 pixels high and nothing overflows",
    async (screen) => {
      const { page, complaints } = await open({ screen });
      expect(await tooLow(page, "button, input:not([type=hidden]), summary")).toEqual([]);
      for (const width of screen === "phone" ? [390, 320] : [1280, 960]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
      expect(complaints).toEqual([]);
    },
  );

  test("it has a language, landmarks, one first heading, and a name for each field", async () => {
    const { page } = await open();
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    for (const role of ["banner", "main", "contentinfo"] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.getByLabel("Your bill or statement").count()).toBe(1);
    expect(await page.getByRole("region", { name: "Two ways to confirm" }).count()).toBe(1);
  });
});
