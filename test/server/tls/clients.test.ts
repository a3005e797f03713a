/** HTTPS with the local authority, as clients of several languages see it. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { formatHost } from "../../../src/server/request-address.js";
import { programFile, runProgram, startProgram, temporaryFolder } from "../../support/program.js";
import { skipWithout } from "../../support/toolchains.js";

const folder = temporaryFolder();
const ca = join(folder, "ca.pem");
const secure = ["--memory", "--tls", "--tls-port", "0"];
const given = "shop.internal";
/** Hosts by which every client must reach the sandbox. */
const hosts = ["localhost", "127.0.0.1", "::1", given, "api.localhost", "a.b.localhost"];
let tlsUrl = "";
let url = "";

beforeAll(async () => {
  const printed = await runProgram(["ca", "--allow-host", given], folder);
  writeFileSync(ca, printed.stdout);
  const program = await startProgram([...secure, "--allow-host", given], folder);
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
    child.stdin?.end();
  });

const has = async (file: string, ...args: string[]): Promise<boolean> => (await run(file, args)).code === 0;
const hasCurl = await has("curl", "--version");
const answer = '{"status":"ok"}';
const health = () => `${tlsUrl}/healthz`;

/** Returns the certificate that a client of this machine sees, having verified it with the authority in `trusted`. */
const certificateFor = (host: string, server = tlsUrl, trusted = readFileSync(ca, "utf8")) =>
  new Promise<PeerCertificate>((resolve, reject) => {
    const servername = isIP(host) ? "" : host;
    const port = Number(new URL(server).port);
    const options = {
      port,
      host: "127.0.0.1",
      servername,
      ca: trusted,
      checkServerIdentity: () => undefined,
    };
    const socket = connect(options, () => {
      const certificate = socket.getPeerCertificate();
      socket.destroy();
      const problem = checkServerIdentity(host, certificate);
      if (problem) reject(problem);
      else resolve(certificate);
    }).on("error", reject);
  });

const strictPython = `import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[1])
context.verify_flags |= ssl.VERIFY_X509_STRICT
for host in sys.argv[3:]:
    with socket.create_connection(("127.0.0.1", int(sys.argv[2]))) as plain:
        with context.wrap_socket(plain, server_hostname=host): print(host)
`;

const java = `import java.net.URI; import java.net.http.*;
class Get { public static void main(String[] args) throws Exception {
  System.out.println(HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(args[0])).build(), HttpResponse.BodyHandlers.ofString()).body());
} }`;

describe("with the authority that standin ca prints, and without it", () => {
  test.runIf(hasCurl)("curl", async () => {
    const { port } = new URL(tlsUrl);
    for (const host of hosts) {
      const url = `https://${formatHost(host)}:${port}/healthz`;
      const args = ["-sS", "--cacert", ca, "--connect-to", `::127.0.0.1:${port}`, url];
      expect(await run("curl", args), host).toEqual({ code: 0, output: answer });
    }
    expect((await run("curl", ["-sS", health()])).output).toMatch(/certificate/i);
  });

  test("Node's fetch", async () => {
    const script = [
      "-e",
      `fetch("${health()}").then((r) => r.text()).then(console.log, ({ cause }) => console.log(cause.code))`,
    ];
    expect((await run(process.execPath, script, { NODE_EXTRA_CA_CERTS: ca })).output).toBe(`${answer}\n`);
    expect((await run(process.execPath, script)).output).toBe("SELF_SIGNED_CERT_IN_CHAIN\n");
    for (const host of hosts) await certificateFor(host);
  });

  test("OpenSSL, which verifies strictly", async ({ skip }) => {
    skipWithout("openssl", skip);
    const { port } = new URL(tlsUrl);
    const strict = ["s_client", "-connect", `127.0.0.1:${port}`, "-x509_strict", "-verify_return_error"];
    for (const host of hosts) {
      const named = isIP(host) ? ["-verify_ip", host] : ["-servername", host, "-verify_hostname", host];
      const { code, output } = await run("openssl", [...strict, "-CAfile", ca, ...named]);
      expect([host, code, output]).toEqual([host, 0, expect.stringContaining("Verification: OK")]);
    }
    expect((await run("openssl", [...strict, "-no-CAfile", "-no-CApath"])).code).toBe(1);
  });

  test("Python, which verifies strictly", async ({ skip }) => {
    skipWithout("python", skip);
    const { port } = new URL(tlsUrl);
    const { output } = await run("python3", ["-c", strictPython, ca, port, ...hosts]);
    expect(output.trim().split(/\s+/)).toEqual(hosts);
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
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = health().replace("127.0.0.1", host);
      expect((await run("java", [...trust, "Get.java", url])).output, host).toBe(`${answer}\n`);
    }
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

/** Runs the command that an error message ends with. */
const runAdvised = (stderr: string, cwd: string) => {
  const [, args = ""] = /: standin (ca .*)$/.exec(stderr.trim()) ?? [];
  return runProgram(
    [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
    cwd,
  );
};

describe("the authority", () => {
  test("signs for local names and those that it was made for, and not for the machine's own name", async () => {
    const { subjectaltname } = await certificateFor("localhost");
    expect(subjectaltname).toBe(
      `DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:${given}`,
    );
  });

  test("is not used for another name: the refusal has the command that makes a new one", async () => {
    const cwd = temporaryFolder();
    const before = await runProgram(["ca"], cwd);
    const names = ["--allow-host", "Shop.internal", "--public-url", "https://[fe80::1]:4443"];
    const start = ["start", "--port", "0", ...secure, ...names];
    const refused = await runProgram(start, cwd);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /was not made for shop\.internal and fe80::1; .* standin ca --new --allow-host shop\.internal --allow-host fe80::1 --data ".*"$/m,
      ),
    ]);
    expect((await runProgram(["ca", "--allow-host", "shop.internal"], cwd)).code).toBe(2);
    expect((await runProgram(["ca"], cwd)).stdout).toBe(before.stdout);
    const made = await runAdvised(refused.stderr, cwd);
    expect([made.code, made.stdout === before.stdout]).toEqual([0, false]);
    const program = await startProgram([...secure, ...names], cwd);
    onTestFinished(() => void program.stop());
    for (const host of ["shop.internal", "fe80::1", "localhost"])
      await certificateFor(host, program.ready.tlsUrl, made.stdout);
    expect(readdirSync(join(cwd, ".standin"))).toEqual(["tls"]);
  });

  test("of an earlier version, without limits and with an RSA key, still signs for every name", async ({
    skip,
  }) => {
    skipWithout("openssl", skip);
    const cwd = temporaryFolder();
    const kept = join(cwd, ".standin/tls");
    mkdirSync(kept, { recursive: true });
    const config = join(cwd, "openssl.cnf");
    writeFileSync(
      config,
      `[req]
distinguished_name = name
x509_extensions = authority
prompt = no
[name]
CN = Standin local authority 0a1b2c3d
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = none
`,
    );
    const [key, certificate] = [join(kept, "authority-key.pem"), join(kept, "authority.pem")];
    const files = ["-keyout", key, "-out", certificate, "-days", "30"];
    await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-config", config, ...files]);
    const program = await startProgram([...secure, "--allow-host", "later.internal"], cwd);
    onTestFinished(() => void program.stop());
    const { tlsUrl: server = "" } = program.ready;
    for (const host of ["localhost", "api.localhost", "later.internal", hostname().toLowerCase()])
      expect((await certificateFor(host, server, readFileSync(certificate, "utf8"))).issuer.CN).toBe(
        "Standin local authority 0a1b2c3d",
      );
    const strict = ["s_client", "-connect", new URL(server).host, "-x509_strict", "-verify_return_error"];
    expect((await run("openssl", [...strict, "-CAfile", certificate])).code).toBe(0);
  });

  test("is made once where ten sandboxes start at once in an empty folder", async () => {
    const cwd = temporaryFolder();
    const started = Array.from({ length: 10 }, () => startProgram(secure, cwd));
    onTestFinished(async () => {
      for (const one of await Promise.allSettled(started))
        if (one.status === "fulfilled") await one.value.stop();
    });
    const programs = await Promise.all(started);
    const { stdout } = await runProgram(["ca"], cwd);
    for (const { ready } of programs) await certificateFor("localhost", ready.tlsUrl, stdout);
    expect(readdirSync(join(cwd, ".standin"))).toEqual(["tls"]);
  });

  test("issues certificates for as many names below localhost as are asked for, and ignores what is no name", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `Shop-${index}.localhost`);
    for (const name of [...names, names[0] as string, `${"x".repeat(63)}.localhost`])
      expect((await certificateFor(name)).subjectaltname).toContain(`DNS:${name.toLowerCase()},`);
    for (const name of [
      "-.localhost",
      "a..localhost",
      "*.localhost",
      "a b.localhost",
      `${"x".repeat(64)}.localhost`,
    ])
      await expect(certificateFor(name), name).rejects.toThrow("does not match certificate's altnames");
    await certificateFor("localhost");
  });
});
