/** Starts third-party mock servers, which are not installed with Standin: STANDIN_PEERS names a folder that has them. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { tempFolder } from "./folders.mjs";
import { headers } from "./load.mjs";
import { Server } from "./servers.mjs";

const contract = fileURLToPath(new URL("../contracts/openapi.json", import.meta.url));
/** Packages of npm. The package of WireMock contains the Java program. */
export const packages = ["@stoplight/prism-cli", "@mockoon/cli", "wiremock", "json-server@0.17"];
const startTimeoutMs = 60_000;

const balance = { balance: 1_000_000, currency: "NGN", low_balance: false, free_tier_remaining: 100 };
const verification = {
  phone: "+2348031234567",
  status: "pending",
  expires_at: "2030-01-01T00:00:00.000Z",
  reference: null,
  cost: 6,
  is_test: true,
};

/** Functions that return the command to start a server on a port, in an empty folder, by its name in the table. */
export const others = {
  Prism: (folder, port) => ["node", bin(folder, "prism"), "mock", contract, "--port", port],
  Mockoon: (folder, port) => [
    ...["node", bin(folder, "mockoon-cli"), "start", "--data", contract, "--port", port],
    "--disable-log-to-file",
  ],
  WireMock: (folder, port, files) => {
    mkdirSync(join(files, "mappings"));
    writeFileSync(join(files, "mappings", "all.json"), JSON.stringify({ mappings: wireMockMappings }));
    const jar = spawnSync("find", [join(folder, "node_modules/wiremock"), "-name", "*.jar"]);
    const options = ["--port", port, "--root-dir", files, "--global-response-templating"];
    return ["java", "-jar", String(jar.stdout).trim(), ...options];
  },
  "json-server": (folder, port, files) => {
    const [data, routes] = [join(files, "db.json"), join(files, "routes.json")];
    writeFileSync(data, JSON.stringify({ balance, verifications: [] }));
    writeFileSync(
      routes,
      JSON.stringify({ "/v1/balance": "/balance", "/v1/phone/verify/start": "/verifications" }),
    );
    return ["node", bin(folder, "json-server"), data, "--routes", routes, "--port", port, "--quiet"];
  },
};

const bin = (folder, name) => join(folder, "node_modules/.bin", name);

const withKey = { "X-Service-Key": { matches: "svc_test_.+" } };
/** Replies, one for each operation, after a check of the key and the body. */
const wireMockMappings = [
  {
    request: { method: "GET", urlPath: "/v1/balance", headers: withKey },
    response: { status: 200, jsonBody: balance },
  },
  {
    request: {
      method: "POST",
      urlPath: "/v1/phone/verify/start",
      headers: withKey,
      bodyPatterns: [{ matchesJsonPath: { expression: "$.phone", matches: "\\+?[0-9]{10,15}" } }],
    },
    response: {
      status: 201,
      jsonBody: { id: "phv_{{randomValue length=20 type='ALPHANUMERIC'}}", ...verification },
    },
  },
];

/** Starts the server on the core of all servers, and resolves once it answers. */
export async function startOther(name) {
  const folder = process.env.STANDIN_PEERS ?? "";
  if (!existsSync(join(folder, "node_modules/.bin")))
    throw new Error(
      `set STANDIN_PEERS to a folder after running npm install --prefix FOLDER ${packages.join(" ")} in it`,
    );
  const files = tempFolder();
  const port = await freePort();
  const command = others[name](folder, String(port), files);
  const child = spawn("taskset", ["-c", "0", ...command], { cwd: files, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  for (let waitedMs = 0; waitedMs < startTimeoutMs; waitedMs += 100) {
    const reply = await fetch(`${url}/v1/balance`, { headers: headers() }).catch(() => null);
    if (reply?.ok) return new Server(child, url);
    await pause(100);
  }
  throw new Error(`${name} did not answer GET /v1/balance within ${startTimeoutMs / 1_000} s`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
