import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox();
const asBrowser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const get = (path: string, headers: Record<string, string> = asBrowser) =>
  fetch(sandbox.url + path, { headers });

describe("the root", () => {
  test("is the dashboard for browsers, and a text screen for other clients", async () => {
    const page = await get("/");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain('<div id="app"></div>');
    for (const accept of ["*/*", "text/plain", "application/json"]) {
      const screen = await get("/", { Accept: accept });
      expect(screen.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(screen.headers.get("vary")).toBe("Accept");
      expect(await screen.text()).toContain(`curl ${sandbox.url}/v1/phone/verify/start`);
    }
  });

  test.each(["/", "/docs", "/docs/control"])(
    "has a policy that forbids inline scripts and markup from strings, also at %s",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")?.split(";").sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' blob:",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
    },
  );

  test("references files that browsers may cache forever", async () => {
    const page = await (await get("/")).text();
    const files = [...page.matchAll(/(?:href|src)="(\/dashboard\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(files).toHaveLength(2);
    for (const file of files) {
      const { status, headers } = await get(file);
      expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
    for (const path of ["/dashboard/", "/dashboard/index.html", "/dashboard/..%2fbundle%2findex.js"])
      expect((await get(path)).status).toBe(404);
  });
});

const folder = "dist/dashboard";
const compressedBytes = (isWanted: (name: string) => boolean): number =>
  readdirSync(folder)
    .filter(isWanted)
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);

test.each([
  ["scripts of the first load", /^(?!reference).*\.js$/, 60_000],
  ["script of the reference, which is loaded when it is opened", /^reference.*\.js$/, 25_000],
  ["style sheet", /\.css$/, 12_000],
])("the %s: at most a fixed number of bytes when compressed", (_what, names, limit) => {
  const bytes = compressedBytes((name) => names.test(name));
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(limit);
});
