import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { useBrowser } from "../../support/browser.js";
import { freePort } from "../../support/port.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { until } from "../../support/until.js";
import { idOf, isLive, openDashboard, sendCode } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const readClipboard = "navigator.clipboard.readText()";

describe("an activity", () => {
  test("appears in the inbox without a reload, and its code can be copied", async () => {
    const account = sandbox.account();
    const { page, complaints } = await openDashboard(browser, account, "inbox");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await sendCode(account);
    const [message] = await account.inbox.list();
    const [code] = message?.codes ?? [];
    await page.getByRole("button", { name: code as string }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(readClipboard)).toBe(code);
    expect(complaints).toEqual([]);
  });

  test("shows its cause and effects when opened, and can be copied as a command", async () => {
    const account = sandbox.account();
    const { page, complaints } = await openDashboard(browser, account);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await sendCode(account);
    await page.getByRole("link", { name: /A code was sent to \+2348031234567\./ }).click();
    await page.locator(".list").getByText("SMS to +2348031234567").click();
    await page.getByRole("heading", { name: "SMS to +2348031234567" }).waitFor();
    const tree = page.locator(".tree");
    await tree.getByText("/v1/phone/verify/start").click();
    await tree.getByText("SMS to +2348031234567").waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied").waitFor();
    const command = await page.evaluate<string>(readClipboard);
    expect(command).toContain(`'${sandbox.url}/v1/phone/verify/start'`);
    expect(command).toContain(`-d '{"phone":"08031234567"}'`);
    expect(command).not.toContain(account.key);
    expect(complaints).toEqual([]);
  });

  test("takes the account back to the moment before it", async () => {
    const account = sandbox.account();
    await sendCode(account);
    const [first] = await account.activity.list({ kind: "request" });
    await sendCode(account);
    const [second] = await account.activity.list({ kind: "request" });
    const { page, complaints } = await openDashboard(browser, account, `activity/${second?.id}`);
    await page.getByRole("button", { name: "Back to here" }).click();
    await page.getByText("The account is as it was before").waitFor();
    await until(
      "one message is left",
      async () => (await page.getByRole("link", { name: /A code was sent to/ }).count()) === 1,
    );
    expect(await account.requests.list()).toMatchObject([{ id: first?.id }]);
    expect(await account.inbox.list()).toHaveLength(1);
    // A read of the undone activity may have been on its way.
    expect(complaints.filter((text) => !text.includes("404 (Not Found)"))).toEqual([]);
  });

  test("can be created from an operation's example, with the account's key", async () => {
    const account = sandbox.account();
    const { page, complaints } = await openDashboard(browser, account, "activity/try/verifyBvn");
    await page.getByLabel("API key").fill(account.key);
    await page.getByLabel("Outcome").selectOption("no_match");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("link", { name: "What it caused" }).click();
    await page.getByText("no_match (the header X-Sandbox-Outcome)").waitFor();
    expect(await account.requests.list()).toMatchObject([{ operation: "verifyBvn", status: 200 }]);
    expect(page.url()).not.toContain(account.key);
    expect(complaints).toEqual([]);
  });

  test("is shown as text, whatever it contains", async () => {
    const account = sandbox.account();
    const hostile = `<img src=x onerror=alert(1)><script>alert(1)</script>"'&amp;`;
    await account.control("PATCH", "/account", { plan: "business" });
    await account.fetch("/v1/phone/verify/start", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Sandbox-Outcome": hostile },
      body: JSON.stringify({ phone: "08031234567", template: `{code} ${hostile}`, reference: hostile }),
    });
    await account.fetch("/v1/phone/verify/start", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ phone: "08031234567", template: `{code} ${hostile}`, reference: hostile }),
    });
    await account.fetch(`/v1/usage?from=${encodeURIComponent(hostile)}`);
    const { page, complaints } = await openDashboard(browser, account, "activity?show=all");
    const rows = page.locator(".row");
    await rows.first().waitFor();
    for (let index = 0; index < (await rows.count()); index++) {
      await rows.nth(index).click();
      await page.locator(".tree").waitFor();
    }
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.locator(".row").first().click();
    await page.locator(".bubble").getByText(hostile).waitFor();
    expect(await page.locator("#app img, #app script").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe("accounts", () => {
  test("can be switched, and each shows only its own data", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    await sendCode(one, "08031234567");
    await sendCode(other, "08052217743");
    const { page } = await openDashboard(browser, one, "inbox");
    await page.getByText("+2348031234567").first().waitFor();
    await page.getByRole("button", { name: /^Account/ }).click();
    await page
      .locator(".picker-menu")
      .getByText(await idOf(other))
      .click();
    await page.getByText("+2348052217743").first().waitFor();
    await page.getByText("+2348031234567").first().waitFor({ state: "detached" });
    expect(page.url()).toContain(await idOf(other));
  });
});

describe("the clock", () => {
  test("is advanced from the header, and due jobs have run", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-01-31T09:00:00Z");
    await sendCode(account);
    const { page } = await openDashboard(browser, account);
    const clock = page.getByRole("group", { name: "Clock" });
    await clock.getByText("frozen").waitFor();
    await clock.getByRole("button", { name: "+24 h" }).click();
    await clock.getByText("Fri, 1 Feb 2030").waitFor();
    await page.getByRole("link", { name: /The code for \+234\d+ expired\./ }).click();
    const tree = page.locator(".tree");
    await tree.getByText(/^The code for \+\d+ expires\.$/).waitFor();
    await tree.getByText("/v1/phone/verify/start").waitFor();
  });

  test("says while it is advanced how many jobs have run", async () => {
    const account = sandbox.account();
    const waiting: ServerResponse[] = [];
    let isSeen = false;
    const receiver = await startReceiver((_, response) => {
      if (isSeen) response.end();
      else waiting.push(response);
    });
    await account.scenario.load({
      name: "A payment in an hour",
      given: {
        clock: "2030-01-31T09:00:00Z",
        virtual_accounts: [{}],
        webhooks: [{ url: receiver.url, events: ["payment.received"] }],
      },
      timeline: [{ after: "1h", do: "simulate_payment", with: { amount: 5_000 } }],
    });
    for (const phone of ["08031234567", "08031234568", "08031234569"]) await sendCode(account, phone);
    const { page } = await openDashboard(browser, account);
    const clock = page.getByRole("group", { name: "Clock" });
    await clock.getByText("frozen").waitFor();
    await clock.getByRole("button", { name: "+24 h" }).click();
    // Three codes have expired, and the payment was made; its webhook waits for the receiver.
    await clock.getByText(/^advancing: [4-9] jobs so far$/).waitFor();
    isSeen = true;
    for (const response of waiting) response.end();
    await clock.getByText("Fri, 1 Feb 2030").waitFor();
    await clock.getByRole("status").waitFor({ state: "detached" });
  });
});

test("Load demo day plays on an account of its own, and leaves the one that was shown alone", async () => {
  const account = sandbox.account();
  const receiver = await startReceiver();
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.clock.freeze("2030-01-31T09:00:00Z");
  const { page } = await openDashboard(browser, account, "money");
  await page.getByRole("button", { name: "Load demo day" }).click();
  await page.locator(".toast").getByText("Demo day is loaded and plays by itself.").waitFor();
  await page.locator(".picker-button").getByText("Demo day").waitFor();
  const demo = sandbox.account({ key: "svc_test_demo_day" });
  expect(page.url()).toContain(await idOf(demo));
  expect(await demo.webhooks.list()).not.toContainEqual(expect.objectContaining({ url: receiver.url }));
  expect((await account.clock.get()).mode).toBe("frozen");
  expect(receiver.received).toEqual([]);
});

test("loading a scenario says which endpoints of the account get its events, and that a frozen clock runs again", async () => {
  const account = sandbox.account();
  const receiver = await startReceiver();
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.clock.freeze("2030-01-31T09:00:00Z");
  const { page } = await openDashboard(browser, account, "scenarios/demo-day");
  await page.getByRole("button", { name: "Load", exact: true }).click();
  const toast = page.locator(".toast");
  await toast.getByText(`Its events also go to ${receiver.url}: an endpoint of the account`).waitFor();
  await toast.getByText("The clock, frozen at 09:00:00 UTC on Thu, 31 Jan 2030, runs again from").waitFor();
});

describe("the keyboard alone", () => {
  test("filters, moves through rows without opening them, opens, returns, and changes the screen", async () => {
    const account = sandbox.account();
    await sendCode(account);
    await sendCode(account);
    await account.fetch("/v1/balance");
    const { page } = await openDashboard(browser, account);
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("verif");
    // The list is empty until the sandbox has answered with what matches.
    await page.locator(".row").filter({ hasText: "balance" }).waitFor({ state: "detached" });
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const focused = "document.activeElement.matches('.row')";
    expect(await page.evaluate(focused)).toBe(true);
    expect(await page.locator(".detail").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.locator(".detail .tree").waitFor();
    // What the call caused is below its row, and opened like it.
    await page.locator(".list .caused").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const wrote = page.locator(".facts").getByText(/^phone verification /);
    await wrote.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await wrote.waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".detail").waitFor({ state: "detached" });
    expect(await page.evaluate(focused)).toBe(true);
    expect(page.url()).toContain("q=verif");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Inbox" }).waitFor({ state: "attached" });
  });
});

describe("the stream", () => {
  test("is closed to pages from another origin", async () => {
    const other = await startSandbox({ port: 0 });
    onTestFinished(() => other.close());
    const { page } = await browser.open();
    // A page without a content security policy, from a different origin.
    await page.route("http://evil.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>other</title>" }),
    );
    await page.goto("http://evil.example/");
    const read = (url: string) =>
      page.evaluate<string>(`fetch(${JSON.stringify(url)}).then(() => "read", (error) => error.name)`);
    expect(await read(`${sandbox.url}/_sandbox/stream`)).toBe("TypeError");
    expect(
      (await fetch(`${sandbox.url}/_sandbox/stream`, { headers: { Origin: "http://evil.example" } })).status,
    ).toBe(403);
  });

  test("reconnects by itself after the sandbox restarts", async () => {
    const port = await freePort();
    const first = await startSandbox({ port });
    const { page } = await browser.open({ screen: "desktop" });
    await page.goto(first.url);
    await isLive(page);
    await first.close();
    await page.locator(".connection.offline").waitFor();
    const second = await startSandbox({ port });
    onTestFinished(() => second.close());
    await sendCode(second.account({ key: "svc_test_demo" }));
    await page.getByRole("link", { name: /A code was sent to/ }).waitFor();
  });

  test("of a thousand activities can be read to the end, and does not move the rows being read", async () => {
    const account = sandbox.account();
    const { page } = await openDashboard(browser, account);
    await sendCode(account);
    const row = page.getByRole("link", { name: /A code was sent to/ });
    await row.focus();
    const place = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const before = await place();
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 101 }, () => account.fetch("/v1/balance")));
    await account.fetch("/v1/pricing");
    await page.getByRole("button", { name: /^300 new/ }).waitFor();
    expect(await place()).toBe(before);
    // More may arrive after a click.
    const newest = page.getByRole("link", { name: /GET \/v1\/pricing/ });
    const more = page.getByRole("button", { name: /^[\d,]+ new/ });
    for (;;) {
      await newest.or(more).first().waitFor();
      if (await newest.isVisible()) break;
      await more.click();
    }
    const rows = page.locator(".list li");
    await expect.poll(() => rows.count()).toBe(300);
    await page.getByRole("button", { name: "Show older" }).click();
    await expect.poll(() => rows.count()).toBe(1000);
    await rows.last().scrollIntoViewIfNeeded();
    await expect.poll(() => rows.last().locator(".title").isVisible()).toBe(true);
    await rows.last().getByRole("link").press("ArrowUp");
    await rows.nth(998).locator(".row:focus").waitFor();
  });
});
