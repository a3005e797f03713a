import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import {
  atTheAddress,
  bill,
  elsewhere,
  type StartedCheck,
  sendForm,
  show,
  startCheck,
} from "../support/address-check.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
async function fresh(changes?: Record<string, unknown>): Promise<[SandboxAccount, StartedCheck]> {
  const account = sandbox.account();
  return [account, await startCheck(account, changes)];
}

const stateOf = async (account: SandboxAccount, { id }: StartedCheck) =>
  (await account.records.get(id)).state;

describe("the page", () => {
  test("shows name, address, expiry and state of the check", async () => {
    const [account, check] = await fresh({ address: "no 12 allen ave, ikeja lagos" });
    await account.clock.freeze("2027-03-01T08:30:00Z");
    const { status, html } = await show((await startCheck(account, { full_name: "Bola Ade" })).confirm_url);
    expect(status).toBe(200);
    for (const text of [
      "Standin sandbox asks you",
      "Bola Ade",
      "Waiting for you: address check",
      "40 of 100",
    ])
      expect(html).toContain(text);
    expect(html).toContain('<time datetime="2027-03-04T08:30:00.000Z">Thu, 4 Mar 2027, 09:30 WAT</time>');
    const sent = await show(check.confirm_url);
    expect(sent.html).toContain("<strong>12 Allen Avenue, Ikeja, Lagos, Nigeria</strong>");
    expect(sent.html).toContain("As submitted: no 12 allen ave, ikeja lagos");
  });

  test("escapes markup in name and address", async () => {
    const hostile = `"><img src=x onerror=alert(1)><script>alert('1')</script>&`;
    const [, { confirm_url }] = await fresh({ full_name: hostile, address: hostile });
    const { html } = await show(confirm_url);
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain("<script>");
    expect(html.split("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;")).toHaveLength(3);
  });

  test("runs only its own script and style, cannot be framed, and is not cached", async () => {
    const [, { confirm_url }] = await fresh();
    const { headers, html } = await show(confirm_url);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none';style-src 'self';script-src 'self';img-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(html).not.toMatch(
      /<style|\sstyle=|\son\w+=|javascript:|https?:|<script(?! src="\.\.\/\.\.\/confirm\.js")/i,
    );
  });

  test.each(["theme.css", "pages.css", "confirm.js", "mark.svg"])("loads %s", async (name) => {
    const { status, headers } = await show(`${sandbox.url}/${name}`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(
      { css: /^text\/css/, js: /javascript/, svg: /svg/ }[name.split(".")[1] ?? ""] as RegExp,
    );
  });

  test("works for the check of a live key", async () => {
    const { confirm_url } = await startCheck(sandbox.account({ mode: "live" }));
    expect((await show(confirm_url)).status).toBe(200);
  });

  test.each([
    ["the id of no account", "acct_aaaaaaaaaaaaaaaa/ver_x"],
    ["an invalid account id", "acct_AAAAAAAAAAAAAAAA/ver_x"],
    ["a path traversal", "..%2F..%2Fetc/passwd"],
    ["bytes that are not UTF-8", "%ff/%ff"],
    ["a property of every object", "__proto__/constructor"],
  ])("is not found for %s", async (_what, path) => {
    const { status, headers, html } = await show(`${sandbox.url}/confirm/${path}`);
    expect(status).toBe(404);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).toContain("<h1>This link does not work</h1>");
  });

  test("is not found for the check of another account, and for another kind of record", async () => {
    const [account, { id, confirm_url }] = await fresh();
    const other = (await startCheck(sandbox.account())).confirm_url.split("/").at(-2) as string;
    const { body } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    for (const url of [confirm_url.replace(/acct_\w+/, other), confirm_url.replace(id, body.id)])
      expect((await show(url)).status).toBe(404);
  });
});

describe("a form of the page", () => {
  test("redirects to the page, which then shows the result", async () => {
    const [account, check] = await fresh();
    const { status, headers } = await sendForm(check.confirm_url, atTheAddress);
    expect(status).toBe(303);
    expect(new URL(headers.get("location") as string, check.confirm_url).href).toBe(check.confirm_url);
    const { html } = await show(check.confirm_url);
    expect(html).toContain("<title>Confirmed: address check · Standin sandbox</title>");
    expect(html).toContain("80 of 100 points");
    expect(html).not.toContain("<form");
    const { history } = await account.records.get(check.id);
    expect(history.at(-1)).toMatchObject({ move: "locate", from: "pending", to: "verified", by: "page" });
  });

  test("submits the location of the device, as a call of the API does", async () => {
    const [account, check] = await fresh();
    const { latitude, longitude } = check.address;
    const fields = {
      proof: "location",
      latitude: `${latitude + 0.003}`,
      longitude: `${longitude}`,
      accuracy_m: "150.5",
    };
    expect((await sendForm(check.confirm_url, fields)).status).toBe(303);
    const { record } = await account.records.get(check.id);
    expect(record).toMatchObject({
      status: "review",
      checks: { location: { status: "partial", points: 20, distance_m: 333.6, accuracy_m: 150.5 } },
    });
  });

  test("submits a location outside the radius when the person is elsewhere", async () => {
    for (const radius_m of [200, 50_000]) {
      const [account, check] = await fresh({ radius_m });
      await sendForm(check.confirm_url, elsewhere);
      const { record } = await account.records.get(check.id);
      expect(record).toMatchObject({ status: "review", checks: { location: { status: "fail", points: 0 } } });
    }
  });

  test("uploads a bill, whose file name decides as in the API", async () => {
    const points = async (name: string) => {
      const [account, check] = await fresh();
      expect((await sendForm(check.confirm_url, bill(name))).status).toBe(303);
      return (await account.records.get(check.id)).record;
    };
    expect(await points("bill.png")).toMatchObject({ checks: { document: { points: 20 } } });
    expect(await points("othername.png")).toMatchObject({ checks: { document: { points: 10 } } });
    expect(await points("otheraddress.png")).toMatchObject({ checks: { document: { points: 0 } } });
  });

  test("works for an address that was not found, without points", async () => {
    const [account, check] = await fresh({ address: "Nowhere" });
    expect((await sendForm(check.confirm_url, atTheAddress)).status).toBe(303);
    expect(await stateOf(account, check)).toBe("failed");
    expect((await show(check.confirm_url)).html).toContain("The address was not found.");
  });
});
