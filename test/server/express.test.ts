/** Every call goes through Express, as the tracing channel of its router shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programFile, temporaryFolder } from "../support/program.js";

/** Prints each handler that Express calls: the pattern that matched the path, and the path below the router. */
const subscriber = `
  require("node:diagnostics_channel").subscribe("tracing:express.router.request:start", ({ req, route }) => {
    process.stderr.write(req.method + " " + req.baseUrl + " " + route + "\\n");
  });
`;

test("the program serves /v1 and /_sandbox through Express routers", async () => {
  const file = join(temporaryFolder(), "subscriber.cjs");
  await writeFile(file, subscriber);
  const args = ["--require", file, programFile, "start", "--memory", "--port", "0", "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let trace = "";
  child.stderr.on("data", (chunk) => {
    trace += chunk;
  });
  const [ready] = (await once(child.stdout, "data")) as [Buffer];
  const { url, testKey } = JSON.parse(String(ready)) as { url: string; testKey: string };
  await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": testKey } });
  await fetch(`${url}/v1/phone/verify/start`, {
    method: "POST",
    headers: { "X-Service-Key": testKey, "Content-Type": "application/json" },
    body: JSON.stringify({ phone: "08031234567" }),
  });
  await fetch(`${url}/_sandbox/clock`);
  child.kill("SIGTERM");
  await once(child, "exit");
  for (const call of ["GET  /v1/balance", "POST /v1/phone /verify/start", "GET  /_sandbox/clock"])
    expect(trace).toContain(`${call}\n`);
});
