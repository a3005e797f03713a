/** The built library, in processes of its own: every part that it loads on demand. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run, usePackage } from "../support/package.js";
import { createDatabase } from "../support/postgres.js";

const installed = usePackage();

/** The body of a function, which gets a sandbox with these options and returns what it saw. */
interface Script {
  options?: object;
  lines: string;
}

const lock = { version: 1, against: "https://api.example.com", assumptions: {}, operations: {} };

const scripts: Readonly<Record<string, Script>> = {
  scenarios: {
    lines: `
      const listed = (await account.scenario.list()).map(({ name }) => name);
      const { passed } = await account.scenario.run("payout-rejected");
      return { listed, passed };`,
  },
  uploads: {
    lines: `
      const { passed } = await account.scenario.run("media-scan");
      const tenant = sandbox.account();
      const { timeline } = await tenant.scenario.load("monthly-rent");
      await sandbox.account().restore(await tenant.snapshot());
      return { passed, timed: timeline.length };`,
  },
  activity: {
    lines: `
      const client = { "User-Agent": "shop" };
      await post("/v1/phone/verify/start", { phone: "08031234567" }, client);
      const snapshot = await account.snapshot();
      const { restored } = await sandbox.account().restore(snapshot);
      const { summary } = await account.coverage();
      const report = standin.formatCoverage(await sandbox.coverage());
      const { pact } = await account.pact();
      return { restored, summary, report, pacts: pact.interactions.length };`,
  },
  consumer: {
    lines: `
      try {
        return standin.interaction("createPayout", { body: { amount: 7000 } });
      } catch ({ message }) {
        return { message };
      }`,
  },
  webhooks: {
    lines: `
      const server = createServer((request, response) => request.resume().on("end", () => response.end()));
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = "http://127.0.0.1:" + server.address().port + "/";
      await post("/v1/webhooks", { url });
      await account.events.trigger("payout.paid");
      await account.advance("1s");
      const [{ status }] = await account.deliveries.list();
      const { results } = await standin.checkReceiver({ url, secret: "whsec_test", only: ["forged"] });
      server.close();
      server.closeAllConnections();
      return { status, checked: results.length };`,
  },
  data: {
    options: { data: "kept" },
    lines: `
      await account.update({ balance: 77 });
      await sandbox.close();
      // A document that a person has edited is read in another way.
      const [document] = readdirSync("kept", { recursive: true }).filter((name) => name.endsWith("state.json"));
      const { checksum, ...edited } = JSON.parse(readFileSync("kept/" + document, "utf8"));
      writeFileSync("kept/" + document, JSON.stringify(edited));
      const next = await standin.startSandbox({ data: "kept" });
      const { balance } = await next.account({ key: account.key }).update({}).finally(next.close);
      return { balance };`,
  },
  parts: {
    options: {
      tls: true,
      driftLock: "drift.lock.json",
      load: "payout-rejected",
      scenarios: "own",
      domains: { lookup: "real", resolver: "127.0.0.1:9", origin: "http://127.0.0.1:9" },
    },
    lines: `
      for (const name of ["address-verified", "channel-linking", "bvn-check", "website-audit", "mine"]) {
        const { passed } = await sandbox.account().scenario.run(name);
        if (!passed) throw new Error(name);
      }
      const form = new FormData();
      form.set("file", new File(["%PDF-1.7"], "empty.pdf"));
      await post("/v1/tools/pdf-to-docx", form);
      const logo = { company_name: "Ada", style: "badge", primary_color: "#0F766E", secondary_color: "#F59E0B", size: 64 };
      const drawn = await account.fetch("/v1/tools/generate-logo", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(logo),
      });
      if (drawn.status !== 200) throw new Error(await drawn.text());
      await account.control("POST", "/pact/states", { state: "a held payment" });
      const { token } = await account.control("POST", "/session-token");
      const bearer = { Authorization: "Bearer " + token };
      const { id } = await post("/v1/domains/verify/start", { domain: "shop.invalid" }, bearer);
      await post("/v1/domains/verify/" + id + "/check", {}, bearer);
      await (await fetch(sandbox.url + "/_sandbox/scenarios/payout-rejected/run", { method: "POST" })).text();
      await account.control("GET", "/assumptions");
      for (const page of ["/", "/openapi.json", "/metrics", "/docs/exports", "/docs/exports/standin.postman_collection.json"]) {
        const reply = await fetch(sandbox.url + page);
        if (reply.status !== 200) throw new Error(await reply.text());
        await reply.text();
      }
      return true;`,
  },
};

/** Shares a database with a replica. */
const onPostgres = (options: { store: string }): Script => ({
  options,
  lines: `
    await account.update({ balance: 77 });
    const replica = await standin.startSandbox(${JSON.stringify(options)});
    const there = replica.account({ key: account.key });
    const { balance } = await there.update({});
    const { replicas } = await there.control("GET", "/accounts");
    const isForwarded = replicas.find(({ answered }) => answered).url === sandbox.url;
    await replica.close();
    return { balance, isForwarded };`,
});

const sourceOf = (all: Readonly<Record<string, Script>>): string => `
  import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
  import { createServer } from "node:http";
  import * as standin from "standin";

  const seen = {};
  async function play(name, options, script) {
    const sandbox = await standin.startSandbox(options);
    const account = sandbox.account();
    const post = async (path, body, headers = {}) => {
      const json = body instanceof FormData ? body : JSON.stringify(body);
      const type = body instanceof FormData ? {} : { "Content-Type": "application/json" };
      return (await account.fetch(path, { method: "POST", headers: { ...type, ...headers }, body: json })).json();
    };
    // An error of one script is shown by its test alone.
    seen[name] = await script(sandbox, account, post).catch(({ message }) => ({ message }));
    await sandbox.close();
  }
  ${Object.entries(all)
    .map(
      ([name, { options = {}, lines }]) =>
        `await play("${name}", ${JSON.stringify(options)}, async (sandbox, account, post) => {${lines}});`,
    )
    .join("\n")}
  console.log(JSON.stringify(seen));`;

/** Runs the scripts in one process. Returns what each of them saw, and the names of all files that Node loaded. */
async function play(name: string, all: Readonly<Record<string, Script>>) {
  const folder = installed.project(name);
  writeFileSync(join(folder, "drift.lock.json"), JSON.stringify(lock));
  mkdirSync(join(folder, "own"));
  writeFileSync(join(folder, "own/mine.yaml"), "name: Mine\nsteps: [{ call: GET /v1/balance }]\n");
  writeFileSync(join(folder, "script.mjs"), sourceOf(all));
  const record = join(folder, "loaded");
  const { code, stdout, stderr } = await run([process.execPath, "script.mjs"], folder, {
    NODE_V8_COVERAGE: record,
  });
  // An uncaught error is printed with its source line, and the bundle has few, long lines.
  expect([stderr.slice(-1000), code]).toEqual(["", 0]);
  return { seen: JSON.parse(stdout) as Record<string, unknown>, files: filesLoaded(record) };
}

function filesLoaded(record: string): Set<string> {
  const reports = readdirSync(record).map((name) => readFileSync(join(record, name), "utf8"));
  const scripts = reports.flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result);
  return new Set(scripts.map(({ url }) => basename(url)));
}

/** What commands alone load; their own tests do so. */
const ofCommands = ["fflate.cjs", "otlp.cjs", "perturbation.cjs", "sdk.cjs"];

/** Returns the files that the library loads on demand. */
const filesToLoad = (): string[] => {
  const bundle = readFileSync(join(installed.installed, "dist/bundle/program.cjs"), "latin1");
  const names = [...bundle.matchAll(/require\("\.\/([^"]+)"\)/g)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !ofCommands.includes(name));
};

describe("the built library", () => {
  let played: Awaited<ReturnType<typeof play>>;
  let playedOnPostgres: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    played = await play("alone", scripts);
    const database = await createDatabase();
    const { url } = database;
    playedOnPostgres = await play("with-postgres", { postgres: onPostgres({ store: url }) }).finally(
      database.drop,
    );
  });

  test("lists every scenario, and runs one by name", () => {
    const files = readdirSync(join(installed.installed, "scenarios")).filter((name) =>
      name.endsWith(".yaml"),
    );
    expect(played.seen.scenarios).toEqual({
      listed: expect.arrayContaining(files.map((name) => name.replace(".yaml", ""))),
      passed: true,
    });
  });

  test("runs scenarios that upload files, and loads those with a timeline", () => {
    expect(played.seen.uploads).toEqual({ passed: true, timed: 3 });
  });

  test("stores, restores and counts an account's activity, and exports it as a pact", () => {
    expect(played.seen.activity).toMatchObject({
      restored: true,
      summary: { operations: { exercised: 1 } },
      report: expect.stringMatching(/operations 1 of \d+/),
      pacts: 1,
    });
  });

  test("refuses the removed helper of consumer tests, with what to use", () => {
    expect(played.seen.consumer).toEqual({
      message: expect.stringMatching(/0\.3.*Pact's own builder.*docs\/pact\.md/),
    });
  });

  test("sends webhooks, and checks receivers", () => {
    expect(played.seen.webhooks).toMatchObject({ status: "succeeded" });
  });

  test("finds the accounts of an earlier run", () => {
    expect(played.seen.data).toEqual({ balance: 77 });
  });

  test("answers what needs its other parts", () => {
    expect(played.seen.parts).toBe(true);
  });

  test("shares a PostgreSQL database with a replica, which forwards requests", () => {
    expect(playedOnPostgres.seen.postgres).toEqual({ balance: 77, isForwarded: true });
  });

  test("has no parts besides those that these scripts have loaded", () => {
    const files = new Set([...played.files, ...playedOnPostgres.files]);
    expect(filesToLoad().length).toBeGreaterThan(7);
    expect(filesToLoad().filter((name) => !files.has(name))).toEqual([]);
  });

  test("converts files in a program given on the command line", async () => {
    const folder = installed.project("command-line");
    const script = `
      import { startSandbox } from "standin";
      const sandbox = await startSandbox();
      const form = new FormData();
      form.set("file", new File(["%PDF-1.7"], "empty.pdf"));
      const reply = await sandbox.account().fetch("/v1/tools/pdf-to-docx", { method: "POST", body: form });
      console.log(reply.status, (await reply.json()).error.code);
      await sandbox.close();`;
    const { stdout, stderr } = await run([process.execPath, "--input-type=module", "-e", script], folder);
    expect([stdout, stderr]).toEqual(["422 file_unreadable\n", ""]);
  });

  test("names the package that decodes Apple Lossless, which npm does not install with it", async () => {
    const folder = installed.project("lossless");
    const file = join(import.meta.dirname, "../file-tools/audio/ffmpeg-files/lossless.m4a");
    cpSync(file, join(folder, "lossless.m4a"));
    const script = `
      import { openAsBlob } from "node:fs";
      import { startSandbox } from "standin";
      const sandbox = await startSandbox();
      const form = new FormData();
      form.set("file", await openAsBlob("lossless.m4a"), "lossless.m4a");
      form.set("target_format", "mp3");
      const reply = await sandbox.account().fetch("/v1/tools/audio-convert", { method: "POST", body: form });
      const { error } = await reply.json();
      console.log(reply.status, error.code, error.message);
      await sandbox.close();`;
    const { stdout } = await run([process.execPath, "--input-type=module", "-e", script], folder);
    expect(stdout).toMatch(/^503 not_installed .*add it with `npm install @audio\/decode-aac`/);
  });
});
