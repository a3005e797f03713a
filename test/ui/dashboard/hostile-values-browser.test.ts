/** Names and texts that hold markup, on each screen that shows them. */
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();
// Without double quotes, which are escaped where a value is shown as JSON.
const hostile = "<img src=x onerror=alert(1)><script>alert(1)</script>'&amp;";

test("records, rules, endpoints, deliveries, events and scenarios with markup are shown as text", async () => {
  const account = sandbox.account();
  const receiver = await startReceiver((_, response) => response.end(hostile));
  onTestFinished(() => receiver.close());
  await account.scenario.load({
    name: hostile,
    description: hostile,
    timeline: [{ after: "1d", do: "start_phone_verification", with: { phone: "08031234567" } }],
  });
  await account.control("POST", "/webhooks", { url: receiver.url, description: hostile });
  await account.control("POST", "/rules", {
    on: "verifyBvn",
    outcome: "no_match",
    when: { body: { bvn: hostile } },
  });
  const started = await post(account, "/v1/phone/verify/start", { phone: "08031234567", reference: hostile });
  expect(started.status).toBe(201);
  await account.control("POST", "/events", { event: "payment.received", data: { note: hostile } });

  const { page, complaints } = await openDashboard(browser, account);
  const own = `account=${await idOf(account)}`;
  for (const [address, list] of [
    ["records?machine=phone_verification&", "Records"],
    ["rules?", "Rules"],
    ["webhooks?", "Deliveries"],
    ["webhooks?show=events&", "Events"],
    ["webhooks/endpoints?", "Endpoints"],
    ["scenarios?", null],
  ] as const) {
    await page.goto(`${sandbox.url}/#/${address}${own}`);
    if (list) await page.getByRole("navigation", { name: list }).getByRole("link").first().click();
    const place = page.locator(address === "scenarios?" ? ".playing" : ".detail");
    await place.getByText(hostile).first().waitFor();
    expect(await page.locator("#app :is(img, script)").count(), address).toBe(0);
  }
  expect(complaints).toEqual([]);
});
