import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { controlOperations } from "../../src/control/index.js";
import { type SandboxOptions, startSandbox } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { freshFolder } from "../support/folder.js";
import { run } from "../support/package.js";
import { programFile } from "../support/program.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const screens = {
  "/docs": "reference",
  "/docs/control": "reference/control",
  "/docs/values": "reference",
  "/docs/assumptions": "assumptions",
};
const screenPaths = Object.keys(screens);
const pages = [...screenPaths, "/docs/exports"];

const get = (path: string, init?: RequestInit) => fetch(sandbox.url + path, init);

async function start(options: SandboxOptions): Promise<string> {
  const own = await startSandbox(options);
  onTestFinished(() => own.close());
  return own.url;
}

/** Starts the built program without the files of the dashboard. */
async function startWithoutDashboard(): Promise<string> {
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

test("/llms.txt names the fields and outcomes of each operation, and its examples pass as they stand", async () => {
  const text = await (await get("/llms.txt")).text();
  for (const { id, body, query, outcomes = {} } of serviceOperations) {
    const [, fields = "", own = ""] = text.split(`(${id})`)[1]?.split("\n") ?? [];
    for (const name of Object.keys({ ...query?.properties, ...body?.properties }))
      expect(fields, id).toMatch(new RegExp(`[ {]${name}\\??(?:[:,]| →)`));
    for (const name of Object.keys(outcomes)) expect(own, id).toMatch(new RegExp(`outcomes .*\\b${name}\\b`));
  }
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code as string);
  const [overHttp, inProcess] = [examples.slice(0, 2).join("\n"), examples[2] ?? ""];
  const file = join(freshFolder(), "first.test.mjs");
  writeFileSync(file, overHttp);
  const { code, stdout } = await run([process.execPath, "--test", file], dirname(file));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/pass 2\b/)]);
  const lines = inProcess.replace(/^import .*\n/, "");
  const runLines = new Function("startSandbox", `return (async () => {${lines}return codes; })()`);
  expect(await runLines(startSandbox)).toEqual([expect.stringMatching(/^\d{6}$/)]);
});

describe("exports", () => {
  test("each file of the page is served with the address of the sandbox, as standin export writes it", async () => {
    const page = await (await get("/docs/exports")).text();
    const files = [...page.matchAll(/href="(\/docs\/exports\/[^"]+)"/g)].map(([, href]) => href as string);
    expect(files.length).toBe(3);
    for (const file of files) {
      const reply = await get(file);
      expect(reply.status).toBe(200);
      const text = await reply.text();
      if (!file.includes("asyncapi")) expect(text).toContain(sandbox.url);
      expect(() => JSON.parse(text)).not.toThrow();
    }
    expect((await get("/docs/exports/standin.wadl")).status).toBe(404);
  });

  test("a collection has a call of every operation, whose variables earlier calls have given", async () => {
    const { item } = (await (
      await get("/docs/exports/standin.postman_collection.json")
    ).json()) as Collection;
    const calls = item.flatMap((folder) => folder.item);
    expect(calls.map(({ name }) => name)).toEqual(
      expect.arrayContaining(serviceOperations.map(({ id }) => id)),
    );
    const known = new Set(["baseUrl", "key"]);
    for (const { event, request } of calls) {
      for (const [, variable = ""] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g))
        expect(known).toContain(variable);
      for (const { script } of event)
        for (const line of script.exec) known.add(/set\("(\w+)"/.exec(line)?.[1] as string);
    }
  });
});

interface Collection {
  item: { item: { name: string; event: { script: { exec: string[] } }[]; request: object }[] }[];
}

describe("every page of the docs", () => {
  test.each(["/start", "/docs/exports"])(
    "%s is HTML with a title, one first-level heading and the navigation",
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      const page = await response.text();
      expect(page).toMatch(/<title>[^<]+ · Standin<\/title>/);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      for (const place of ["/", "/start", "/docs", "/docs/assumptions", "/docs/exports"])
        expect(page).toContain(`<li><a href="${place}"`);
      const ownOrElsewhere = /<style|<script(?! src="\/)|<[^>]*\s(?:style|on\w+)=|(?:href|src)="(?![/#])/i;
      expect(ownOrElsewhere.exec(page)?.[0]).toBeUndefined();
    },
  );

  test.each(pages)("%s answers HEAD with the headers of GET", async (path) => {
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
    const [start, exports] = await Promise.all(
      ["/start", "/docs/exports"].map(
        async (path) => /<title>(.*)<\/title>/.exec(await (await get(path)).text())?.[1],
      ),
    );
    expect(start).not.toBe(exports);
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

test("the policy of pages without JavaScript is that of the start page", async () => {
  const policyOf = async (path: string) => (await get(path)).headers.get("content-security-policy");
  const ofStart = await policyOf("/start");
  expect(ofStart).toBe(
    "default-src 'none';style-src 'self';img-src 'self';frame-ancestors 'none';base-uri 'none'",
  );
  expect(await policyOf("/docs/exports")).toBe(ofStart);
});

describe("a screen of the docs", () => {
  test.each(Object.entries(screens))(
    "at %s is the dashboard, for every client, and opens %s",
    async (path, screen) => {
      for (const Accept of ["text/html", "*/*"]) {
        const response = await get(path, { headers: { Accept } });
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          "text/html; charset=utf-8",
        ]);
        const page = await response.text();
        expect(page).toContain(` data-opens="${screen}">`);
        expect(page).toMatch(/<script type="module" src="\/dashboard\/dashboard-[A-Z0-9]+\.js">/);
      }
    },
  );

  test("is not shown while the control API is off", async () => {
    const url = await start({ control: "off" });
    for (const path of screenPaths) {
      const response = await fetch(url + path);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: "control_off" } });
    }
  });

  test("explains what to run where the dashboard is not built, and all other pages work", async () => {
    const url = await startWithoutDashboard();
    for (const path of screenPaths) {
      const response = await fetch(url + path);
      expect(response.status).toBe(503);
      expect(await response.text()).toContain("Run <code>npm run build</code>");
    }
    for (const path of ["/", "/start", "/docs/exports"]) expect((await fetch(url + path)).status).toBe(200);
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
