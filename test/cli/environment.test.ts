/** `standin start`, configured by environment variables. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCommand } from "../../src/cli/start.js";
import { connectSandbox } from "../../src/index.js";
import { freePort } from "../support/port.js";
import { programFile, temporaryFolder } from "../support/program.js";
import { post } from "../support/sandbox.js";
import { runHere } from "./run-here.js";
import { spawnProgram } from "./spawned-program.js";

/** Starts a sandbox with these variables and without flags. Resolves to its URL. */
async function start(env: NodeJS.ProcessEnv, cwd = temporaryFolder()): Promise<string> {
  const program = spawnProgram(process.execPath, [programFile], {
    cwd,
    env: { PATH: process.env.PATH, STANDIN_JSON: "true", STANDIN_PORT: "0", STANDIN_MEMORY: "1", ...env },
  });
  onTestFinished(() => void program.child.kill("SIGKILL"));
  return JSON.parse(await program.waitFor(/\n/)).url;
}

const startPhone = (url: string, key = "svc_test_demo") =>
  post(connectSandbox(url).account({ key }), "/v1/phone/verify/start", { phone: "08031234567" });

describe("every flag of start", () => {
  const options = startCommand().options.filter(({ long }) => long !== "--help-all");
  const flags = options.map(({ long, envVar }) => [long as string, envVar as string]);

  test.each(flags)("%s has the variable %s", async (flag, variable) => {
    const named = `STANDIN_${flag.slice(2).replaceAll("-", "_").toUpperCase()}`;
    expect(variable).toBe(flag === "--assume" ? "STANDIN_ASSUMPTIONS" : named);
  });

  test("shows its variable in --help-all", async () => {
    const help = (await runHere(["start", "--help-all"])).stdout.replaceAll(/\s+/g, " ");
    for (const [flag, variable] of flags) expect(help, flag).toContain(`env: ${variable})`);
  });
});

describe("the environment", () => {
  test("configures the sandbox: lists, texts, choices and numbers", async () => {
    const url = await start({
      STANDIN_SEED: "by environment",
      STANDIN_ASSUMPTIONS: "http.created=ok, errors.body=flat",
      STANDIN_REGISTERED_KEYS_ONLY: "true",
      STANDIN_REGISTER_KEY: "svc_test_first,svc_test_second",
      STANDIN_ALLOW_ORIGIN: "https://one.example, https://two.example",
    });
    for (const key of ["svc_test_first", "svc_test_second"])
      expect((await startPhone(url, key)).status).toBe(200);
    expect((await startPhone(url, "svc_test_third")).body).toMatchObject({ code: "invalid_api_key" });
    const headers = { Origin: "https://two.example" };
    const allowed = await fetch(`${url}/healthz`, { headers });
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://two.example");
  });

  test("is overridden by flags and overrides the config file", async () => {
    const folder = temporaryFolder();
    const config = { port: 1, memory: true, assumptions: { "http.created": "ok", "errors.body": "flat" } };
    writeFileSync(join(folder, "mine.json"), JSON.stringify(config));
    const env = { STANDIN_CONFIG: "mine.json", STANDIN_ASSUMPTIONS: "http.created=created" };
    const url = await start(env, folder);
    expect((await startPhone(url)).status).toBe(201);
    expect((await startPhone(url, "short")).body).toMatchObject({ code: "invalid_api_key" });
  });

  test("uses PORT if nothing else sets the port", async () => {
    const port = await freePort();
    expect(await start({ STANDIN_PORT: undefined, PORT: String(port) })).toBe(`http://127.0.0.1:${port}`);
    expect(await start({ STANDIN_PORT: "0", PORT: String(port) })).not.toContain(`:${port}`);
  });

  test("may have empty variables, which count as unset, and switches that are off", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const env = {
      STANDIN_PORT: "",
      PORT: String(port),
      STANDIN_REGISTERED_KEYS_ONLY: "false",
      STANDIN_SEED: "",
    };
    const url = await start({ ...env, STANDIN_DATA: "kept", STANDIN_MEMORY: "0" }, folder);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await startPhone(url, "svc_test_any")).status).toBe(201);
  });

  test("tolerates the address that Kubernetes puts into STANDIN_PORT for a service named standin", async () => {
    const port = await freePort();
    const url = await start({ STANDIN_PORT: "tcp://10.0.0.7:4010", PORT: String(port) });
    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  test.each([
    ["STANDIN_PORT", "99999", /STANDIN_PORT.*65535/],
    ["PORT", "http", /PORT must be a number/],
    ["STANDIN_MEMORY", "perhaps", /STANDIN_MEMORY must be true or false; got perhaps/],
    ["STANDIN_DURABILITY", "eternal", /STANDIN_DURABILITY.*process, power/],
    ["STANDIN_ASSUMPTIONS", "http.created", /STANDIN_ASSUMPTIONS.*id=value/],
    ["STANDIN_PUBLIC_URL", "mailto:x", /STANDIN_PUBLIC_URL.*http or https URL/],
    ["STANDIN_TRUST_PROXY", "nobody", /--trust-proxy must be IP addresses.*"nobody"/],
    ["STANDIN_LOAD", "demo-dya", /no scenario "demo-dya"; the nearest is demo-day/],
    ["STANDIN_SCENARIOS", "/nowhere", /--scenarios must be a folder; got "\/nowhere"/],
  ])("with %s=%s prevents the start, and the error shows valid values", async (name, value, says) => {
    const { code, stderr } = await runHere(["start", "--memory"], undefined, { [name]: value });
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe("STANDIN_LOAD", () => {
  const accountAt = (url: string) => connectSandbox(url).account({ key: "svc_test_demo" });
  const snapshotAt = async (url: string) => (await accountAt(url).fetch("/_sandbox/snapshot")).text();

  test("loads a scenario into the account of the test key", async () => {
    const url = await start({ STANDIN_LOAD: "payout-rejected" });
    expect(await snapshotAt(url)).toContain('"business_name":"Ada Stores"');
  });

  test("finds the files of a folder named scenarios, and of STANDIN_SCENARIOS", async () => {
    const folder = temporaryFolder();
    for (const [name, title] of [
      ["scenarios", "Found"],
      ["mine", "Mounted"],
    ] as const) {
      mkdirSync(join(folder, name));
      const text = `name: ${title}\ngiven:\n  business: { business_name: ${title} }\n`;
      writeFileSync(join(folder, name, "own.yaml"), text);
    }
    const found = await start({ STANDIN_LOAD: "own" }, folder);
    expect(await snapshotAt(found)).toContain('"business_name":"Found"');
    const mounted = await start({ STANDIN_LOAD: "own", STANDIN_SCENARIOS: join(folder, "mine") }, folder);
    expect(await snapshotAt(mounted)).toContain('"business_name":"Mounted"');
    expect(await accountAt(mounted).control("GET", "/scenarios")).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ name: "own", title: "Mounted" })]),
      loaded: { name: "own" },
    });
  });

  test("does not change an account that has been used before", async () => {
    const folder = temporaryFolder();
    const env = { STANDIN_MEMORY: "", STANDIN_DATA: join(folder, "state") };
    const first = spawnProgram(process.execPath, [programFile, "start", "--json", "--port", "0"], {
      env: { PATH: process.env.PATH, ...env },
    });
    await startPhone(JSON.parse(await first.waitFor(/\n/)).url);
    first.child.kill("SIGTERM");
    expect(await first.exitCode).toBe(0);
    const url = await start({ ...env, STANDIN_LOAD: "payout-rejected" });
    expect(await snapshotAt(url)).not.toContain("business_name");
    expect(await accountAt(url).inbox.list()).toHaveLength(1);
  });
});
