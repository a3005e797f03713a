import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { html } from "../../src/documents/html.js";
import { startSandbox } from "../../src/index.js";
import { freePort } from "../support/port.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const hostile = `"><script>alert('1')</script>&`;
const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";

describe("headers", () => {
  const everywhere = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };

  test.each([
    "/v1/balance",
    "/v1/nothing",
    "/_sandbox/account",
    "/healthz",
    "/openapi.json",
    "/",
    "/start",
    "/pages.css",
    "/nothing",
  ])("%s has the security headers of helmet and does not reveal the server software", async (path) => {
    const { headers } = await fetch(sandbox.url + path);
    expect(Object.fromEntries(headers)).toMatchObject(everywhere);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    for (const telling of ["x-powered-by", "server", "etag"]) expect(headers.has(telling)).toBe(false);
  });

  test("a page is not shared with the window that opened it", async () => {
    const { headers } = await fetch(sandbox.url);
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  test("a success and a refusal with a body have them too", async () => {
    for (const body of [{ phone: "08031234567" }, {}]) {
      const { headers } = await post(sandbox.account(), "/v1/phone/verify/start", body);
      expect(Object.fromEntries(headers)).toMatchObject(everywhere);
    }
  });
});

describe("pages", () => {
  test("get their scripts and styles from files: the code of the pages has neither as text", () => {
    const folder = "src/pages";
    const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.startsWith("docs/"))
      .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
    expect(texts.length).toBeGreaterThan(10);
    const embedded = /export const (?:style|script|palette) = `|addEventListener|color-scheme: light dark;/;
    expect(texts.filter(({ text }) => embedded.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test("comply with their policy: no inline scripts, styles or event handlers", async () => {
    const page = await (await fetch(`${sandbox.url}/start`)).text();
    expect(page).toContain('<link rel="stylesheet" href="/pages.css">');
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:|https?:\/\/(?!127\.0\.0\.1)/i);
  });

  test("escape their content", async () => {
    const port = await freePort();
    const own = await startSandbox({ port, publicUrl: `http://standin.example/${hostile}` });
    onTestFinished(() => own.close());
    const page = await (await fetch(`http://127.0.0.1:${port}/start`)).text();
    expect(page).toContain(`http://standin.example/${escaped}`);
    expect(page).not.toContain(hostile);
  });

  test("escape attributes as well as text", () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  test("an unknown path is answered with JSON, whatever it contains", async () => {
    const response = await fetch(`${sandbox.url}/${encodeURIComponent(hostile)}`, {
      headers: { Accept: "text/html" },
    });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});
