import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { controlOperations } from "../../src/control/index.js";
import { type SandboxOptions, startSandbox } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { freshFolder } from "../support/folder.js";
import { programFile } from "../support/program.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const references = ["/docs", "/docs/control"];
const pages = [...references, "/docs/values", "/docs/assumptions"];
const files = ["/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"];

const get = (path: string, init?: RequestInit) => fetch(sandbox.url + path, init);

async function start(options: SandboxOptions): Promise<string> {
  const own = await startSandbox(options);
  onTestFinished(() => own.close());
  return own.url;
}

/** Starts the built program without the files of swagger-ui. */
async function startWithoutDocs(): Promise<string> {
  const folder = freshFolder();
  const built = join(programFile, "..");
  cpSync(programFile, join(folder, "standin.cjs"));
  cpSync(join(built, "bundle"), join(folder, "bundle"), { recursive: true });
  const flags = ["start", "--memory", "--port", "0", "--json"];
  const program = spawn(process.execPath, [join(folder, "standin.cjs"), ...flags], { cwd: folder });
  onTestFinished(async () => {
    program.kill();
    await once(program, "exit");
  });
  const [line] = (await once(program.stdout, "data")) as [Buffer];
  return (JSON.parse(String(line)) as { url: string }).url;
}

test("/llms.txt lists every operation of the service and of the control API, with the address it was asked at", async () => {
  const response = await get("/llms.txt");
  expect(response.headers.get("content-type")).toContain("text/plain");
  const text = await response.text();
  expect(text).toContain(`Base URL: ${sandbox.url}.`);
  for (const { route } of [...serviceOperations, ...controlOperations]) expect(text).toContain(route);
});

describe("every page of the docs", () => {
  test.each(pages)("%s is HTML with a title, one first-level heading and the navigation", async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const page = await response.text();
    expect(page).toMatch(/<title>[^<]+ · Standin<\/title>/);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const place of ["/", "/start", "/docs", "/docs/values", "/docs/assumptions"])
      expect(page).toContain(`<li><a href="${place}"`);
    const ownOrElsewhere = /<style|<script(?! src="\/)|<[^>]*\s(?:style|on\w+)=|(?:href|src)="(?![/#])/i;
    expect(ownOrElsewhere.exec(page)?.[0]).toBeUndefined();
  });

  test.each([...pages, ...files])("%s answers HEAD with the headers of GET", async (path) => {
    const [whole, head] = [await get(path), await get(path, { method: "HEAD" })];
    await whole.arrayBuffer();
    const summary = ({ status, headers }: Response) => [
      status,
      ...["content-type", "content-length", "etag"].map((name) => headers.get(name)),
    ];
    expect(summary(head)).toEqual(summary(whole));
    expect(await head.text()).toBe("");
  });

  test("has a title of its own", async () => {
    const titles = pages.map(
      async (path) => /<title>(.*)<\/title>/.exec(await (await get(path)).text())?.[1],
    );
    expect(new Set(await Promise.all(titles)).size).toBe(pages.length);
  });

  test.each(pages)("%s is guarded like the start page", async (path) => {
    const url = await start({ adminToken: "correct horse battery" });
    const closed = await fetch(url + path);
    expect(closed.status).toBe(401);
    expect(await closed.json()).toMatchObject({ error: { code: "admin_token_required" } });
    const open = await fetch(url + path, { headers: { "X-Sandbox-Admin": "correct horse battery" } });
    expect(open.status).toBe(200);
    const foreign = await get(path, { headers: { Origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });
});

describe("the policy", () => {
  test.each(references)(
    "of %s allows what swagger-ui needs from this origin, and nothing else",
    async (path) => {
      const policy = (await get(path)).headers.get("content-security-policy") ?? "";
      expect(policy.split(";").sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data: blob:",
        "script-src 'self'",
        "style-src 'self'",
      ]);
    },
  );

  test("of pages without JavaScript is that of the start page", async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get("content-security-policy");
    const ofStart = await policyOf("/start");
    expect(ofStart).toBe(
      "default-src 'none';style-src 'self';img-src 'self';frame-ancestors 'none';base-uri 'none'",
    );
    for (const path of ["/docs/values", "/docs/assumptions"]) expect(await policyOf(path)).toBe(ofStart);
  });
});

describe("the files of swagger-ui", () => {
  /** The comment that names a source map, which is not served. */
  const sourceMap = /\s*\/\*# sourceMappingURL=\S+\*\/\s*$/;

  test.each(files)("%s is sent once, and then answered with 304", async (path) => {
    const first = await get(path);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const name = path.replace("/docs/", "node_modules/swagger-ui-dist/");
    expect(await first.text()).toBe(readFileSync(name, "utf8").replace(sourceMap, "\n"));
    const etag = first.headers.get("etag") ?? "";
    // As browsers do; fetch itself would bypass the cache.
    const ask = (known: string) =>
      get(path, { headers: { "If-None-Match": known, "Cache-Control": "max-age=0" } });
    const again = await ask(etag);
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect((await ask('"other"')).status).toBe(200);
  });

  test("nothing else in their folder is served", async () => {
    for (const path of ["/docs/LICENSE", "/docs/..%2fbundle%2findex.js", "/docs/nothing"])
      expect((await get(path)).status).toBe(404);
  });

  test("without them, the reference explains what to run, and all other pages work", async () => {
    const url = await startWithoutDocs();
    for (const path of references) {
      const response = await fetch(url + path);
      expect(response.status).toBe(503);
      expect(await response.text()).toContain("Run <code>npm run build</code>");
    }
    for (const path of files) expect((await fetch(url + path)).status).toBe(404);
    for (const path of ["/", "/start", "/docs/values", "/docs/assumptions"])
      expect((await fetch(url + path)).status).toBe(200);
  });
});

describe("links to the docs", () => {
  test("the start page links to them first", async () => {
    const page = await (await get("/start")).text();
    const [first] = /<li><a href="[^"]+">\/[^<]*/.exec(page.slice(page.indexOf("Where to look"))) ?? [];
    expect(first).toBe('<li><a href="/docs">/docs');
  });

  test("the terminal's first screen has their address", async () => {
    const program = spawn(process.execPath, [programFile, "--memory", "--port", "0"], { cwd: freshFolder() });
    let screen = "";
    for await (const chunk of program.stdout) {
      screen += chunk;
      if (screen.includes("Ctrl+C")) break;
    }
    program.kill();
    const url = /Base URL\s+(\S+)/.exec(screen)?.[1];
    expect(screen).toMatch(new RegExp(`Docs\\s+${url}/docs\\n`));
  });
});
