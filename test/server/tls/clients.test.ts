/** HTTPS with the local authority, as clients of several languages see it. */
import { execFile } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { programFile, runProgram, startProgram, temporaryFolder } from "../../support/program.js";
import { skipWithout } from "../../support/toolchains.js";

const folder = temporaryFolder();
const ca = join(folder, "ca.pem");
let tlsUrl = "";
let url = "";

beforeAll(async () => {
  const printed = await runProgram(["ca"], folder);
  writeFileSync(ca, printed.stdout);
  const program = await startProgram(["--memory", "--tls", "--tls-port", "0"], folder);
  ({ tlsUrl = "" } = program.ready);
  url = program.url;
  return () => program.stop();
});

interface Ended {
  code: number | null;
  output: string;
}

const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd: folder };
    const child = execFile(file, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });

const has = async (file: string, ...args: string[]): Promise<boolean> => (await run(file, args)).code === 0;
const hasCurl = await has("curl", "--version");
const answer = '{"status":"ok"}';
const health = () => `${tlsUrl}/healthz`;

const java = `import java.net.URI; import java.net.http.*;
class Get { public static void main(String[] args) throws Exception {
  System.out.println(HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(args[0])).build(), HttpResponse.BodyHandlers.ofString()).body());
} }`;

describe("with the authority that standin ca prints, and without it", () => {
  test.runIf(hasCurl)("curl", async () => {
    expect(await run("curl", ["-s", "--cacert", ca, health()])).toEqual({ code: 0, output: answer });
    expect((await run("curl", ["-sS", health()])).output).toMatch(/certificate/i);
  });

  test("Node's fetch", async () => {
    const script = [
      "-e",
      `fetch("${health()}").then((r) => r.text()).then(console.log, ({ cause }) => console.log(cause.code))`,
    ];
    expect((await run(process.execPath, script, { NODE_EXTRA_CA_CERTS: ca })).output).toBe(`${answer}\n`);
    expect((await run(process.execPath, script)).output).toBe("SELF_SIGNED_CERT_IN_CHAIN\n");
  });

  test("Python's requests", async ({ skip }) => {
    skipWithout("Python's requests", skip);
    const script = ["-c", `import requests; print(requests.get("${health()}").text)`];
    expect((await run("python3", script, { REQUESTS_CA_BUNDLE: ca })).output).toBe(`${answer}\n`);
    expect((await run("python3", script)).output).toContain("CERTIFICATE_VERIFY_FAILED");
  });

  test("Java's HttpClient", async ({ skip }) => {
    skipWithout("java", skip);
    writeFileSync(join(folder, "Get.java"), java);
    const store = "-keystore standin.p12 -storepass changeit".split(" ");
    await run("keytool", ["-importcert", "-noprompt", "-alias", "standin", "-file", ca, ...store]);
    const trust = ["-Djavax.net.ssl.trustStore=standin.p12", "-Djavax.net.ssl.trustStorePassword=changeit"];
    expect((await run("java", [...trust, "Get.java", health()])).output).toBe(`${answer}\n`);
    expect((await run("java", ["Get.java", health()])).output).toContain("SSLHandshakeException");
  });
});

test.runIf(hasCurl)("links have the scheme that the request came in on", async () => {
  const address = JSON.stringify({
    address: "12 Allen Avenue, Ikeja, Lagos",
    full_name: "Ada Obi",
    country: "NG",
  });
  const ask = async (base: string) => {
    const headers = ["-H", "X-Service-Key: svc_test_links", "-H", "Content-Type: application/json"];
    const { output } = await run("curl", [
      "-s",
      "--cacert",
      ca,
      `${base}/v1/verify/address`,
      ...headers,
      "-d",
      address,
    ]);
    return JSON.parse(output).confirm_url as string;
  };
  expect((await ask(tlsUrl)).startsWith(`${tlsUrl}/confirm/`)).toBe(true);
  expect((await ask(url)).startsWith(`${url}/confirm/`)).toBe(true);
});

test("standin ca prints the same authority again, with its fingerprint, and keeps its key to itself", async () => {
  const { stdout } = await runProgram(["ca", "--json"], folder);
  const { certificate, fingerprint, folder: kept } = JSON.parse(stdout);
  expect([certificate.trim(), fingerprint]).toEqual([
    readFileSync(ca, "utf8").trim(),
    expect.stringMatching(/^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/),
  ]);
  expect(statSync(join(kept, "authority-key.pem")).mode & 0o777).toBe(0o600);
  expect(readFileSync(programFile).length).toBeGreaterThan(0);
});

test("a broken authority is refused with what to do", async () => {
  const broken = temporaryFolder();
  await runProgram(["ca", "--data", broken], broken);
  writeFileSync(join(broken, "tls/authority-key.pem"), "no key");
  const { code, stderr } = await runProgram(["ca", "--data", broken], broken);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/cannot be used: .*; delete that folder to have a new one/),
  ]);
});
