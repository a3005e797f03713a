/** Every call goes through Express, as the debug output of its router shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { programFile } from "../support/program.js";

test("the program serves /v1 and /_sandbox through Express routers", async () => {
  const child = spawn(process.execPath, [programFile, "start", "--memory", "--port", "0", "--json"], {
    env: { ...process.env, DEBUG: "router,express:*" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let trace = "";
  child.stderr.on("data", (chunk) => {
    trace += chunk;
  });
  const [ready] = (await once(child.stdout, "data")) as [Buffer];
  const { url, testKey } = JSON.parse(String(ready)) as { url: string; testKey: string };
  await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": testKey } });
  await fetch(`${url}/_sandbox/clock`);
  child.kill("SIGTERM");
  await once(child, "exit");
  // The application, then the router of the prefix.
  for (const dispatched of ["GET /v1/balance", "GET /balance", "GET /_sandbox/clock", "GET /clock"])
    expect(trace).toContain(`router dispatching ${dispatched}\n`);
});
