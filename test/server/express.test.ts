/** Every call goes through Express, as the tracing channel of its router shows. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import { startProgram } from "../support/program.js";
import { call, post } from "../support/sandbox.js";
import { until } from "../support/until.js";

/** Prints each handler that Express calls: the path of its router, and the pattern that matched the rest. */
const subscriber = `
  require("node:diagnostics_channel").subscribe("tracing:express.router.request:start", ({ req, route }) => {
    process.stderr.write(req.method + " " + req.baseUrl + " " + route + "\\n");
  });
`;

test("the program serves /v1 and /_sandbox through Express routers", async () => {
  const folder = freshFolder();
  const file = join(folder, "subscriber.cjs");
  writeFileSync(file, subscriber);
  const program = await startProgram(["--memory"], folder, ["env", `NODE_OPTIONS=--require=${file}`]);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  const account = program.account("svc_test_traced");
  await call(account, "GET", "/v1/balance");
  await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  await call(account, "GET", "/_sandbox/clock");
  await until("the last trace has arrived", () => program.stderr().includes("/_sandbox/clock"));
  for (const traced of ["GET  /v1/balance", "POST /v1/phone /verify/start", "GET  /_sandbox/clock"])
    expect(program.stderr()).toContain(`${traced}\n`);
});
