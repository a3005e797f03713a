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
import { pngOf } from "../support/forms.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { photoLimit } from "../support/uploads.js";

const sandbox = useListeningSandbox();

async function fresh(): Promise<[SandboxAccount, StartedCheck]> {
  const account = sandbox.account();
  return [account, await startCheck(account)];
}

const stateOf = async (account: SandboxAccount, { id }: StartedCheck) =>
  (await account.records.get(id)).state;

describe("a refusal", () => {
  test.each([
    [
      "a file that is neither a photo nor a PDF",
      bill("bill.png", Buffer.from("hello")),
      415,
      "This type of file is not supported",
    ],
    ["a file over 15 MB", bill("bill.png", pngOf(photoLimit + 1)), 413, "The file is too large"],
    ["an empty file", bill("bill.png", Buffer.alloc(0)), 400, "Something is not valid"],
    ["no file", { proof: "document" }, 400, "No file was chosen"],
    [
      "no location",
      { proof: "location", latitude: "", longitude: "", accuracy_m: "" },
      400,
      "Something is missing",
    ],
    [
      "an impossible location",
      { proof: "location", latitude: "91", longitude: "3", accuracy_m: "5" },
      400,
      "Something is not valid",
    ],
    [
      "a location that is not a number",
      { proof: "location", latitude: "NaN", longitude: "here", accuracy_m: "1e999" },
      400,
      "Something is not valid",
    ],
    ["a provider that is down", bill("provider_down.png"), 503, "Something went wrong"],
  ])("is shown on the page with the status of the API: %s", async (_what, fields, status, title) => {
    const [account, check] = await fresh();
    const shown = await sendForm(check.confirm_url, fields);
    expect(shown.status).toBe(status);
    expect(shown.html).toMatch(new RegExp(`role="alert"[^>]*>\\s*<h2>.*${title}</h2>`));
    expect(shown.html).toContain("<title>Problem: Waiting for you");
    expect(await stateOf(account, check)).toBe("pending");
    expect(sandbox.warnings).toEqual([]);
  });

  test("is shown for a form of another type", async () => {
    const [, { confirm_url }] = await fresh();
    const { status, html } = await show(confirm_url, {
      method: "POST",
      body: new URLSearchParams(atTheAddress),
    });
    expect(status).toBe(415);
    expect(html).toContain("The body must be multipart/form-data");
  });

  test("that a rule causes has its headers", async () => {
    const [account, { confirm_url }] = await fresh();
    await account.rules.add({ on: "submitAddressLocation", outcome: "rate_limited" });
    const { status, headers } = await sendForm(confirm_url, atTheAddress);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("60");
  });

  test("is shown for a form after the address is confirmed", async () => {
    const [, { confirm_url }] = await fresh();
    await sendForm(confirm_url, atTheAddress);
    const { status, html } = await sendForm(confirm_url, elsewhere);
    expect(status).toBe(409);
    expect(html).toContain("This is already done");
    expect(html).toContain("Your address is confirmed");
  });

  test("is shown when the link has expired, before a form is sent and after", async () => {
    const [account, check] = await fresh();
    await account.advance("72h");
    for (const shown of [await show(check.confirm_url), await sendForm(check.confirm_url, atTheAddress)]) {
      expect(shown.status).toBe(410);
      expect(shown.html.split("This link has expired")).toHaveLength(2);
      expect(shown.html).not.toContain("<form");
    }
    expect(await stateOf(account, check)).toBe("pending");
  });

  test("a confirmed address stays confirmed after the link has expired", async () => {
    const [account, { confirm_url }] = await fresh();
    await sendForm(confirm_url, atTheAddress);
    await account.advance("73h");
    expect((await show(confirm_url)).status).toBe(200);
  });

  test("lists the methods that the page accepts", async () => {
    const [, { confirm_url }] = await fresh();
    const { status, headers } = await show(confirm_url, { method: "DELETE" });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD, POST");
  });
});

describe("a form that another site sends", () => {
  test.each([
    ["its Origin", { Origin: "https://evil.example" }],
    ["an Origin on another port", { Origin: "http://127.0.0.1:1" }],
    ["the browser", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
    ["the browser, of a page on another port", { "Sec-Fetch-Site": "same-site" }],
  ])("is refused if %s shows it, and changes nothing", async (_what, headers) => {
    const [account, check] = await fresh();
    const { status, html } = await sendForm(
      check.confirm_url,
      atTheAddress,
      headers as Record<string, string>,
    );
    expect(status).toBe(403);
    expect(html).toContain("<h1>Another site sent this form</h1>");
    expect(await stateOf(account, check)).toBe("pending");
  });

  test.each([
    ["a browser on this machine", { "Sec-Fetch-Site": "same-origin", Origin: "null" }],
    ["a phone over plain HTTP", { Origin: "null" }],
    ["a browser that sends the page's own origin", { Origin: "own" }],
  ])("is not that of %s", async (_what, headers) => {
    const [, { confirm_url }] = await fresh();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === "own" ? sandbox.url : value]),
    );
    expect((await sendForm(confirm_url, atTheAddress, sent)).status).toBe(303);
  });
});
