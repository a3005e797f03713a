/** `standin scenario record`, `bundle` and `open`, on the built program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { freshFolder } from "../support/folder.js";
import { field, file, png } from "../support/forms.js";
import { programFile } from "../support/program.js";
import { startReceiver } from "../support/receiver.js";
import { call, post } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";
import { runHere } from "./run-here.js";
import { connectionTo, standin, standinHere, useProgram } from "./use-program.js";

const program = useProgram();

test("a recording with an upload is written with its file, and passes scenario run", async () => {
  const account = program.account();
  const folder = freshFolder();
  await upload(account, [file("file", png, "adaeze.png"), field("note", "x")]);
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const story = join(folder, "story.yaml");
  expect(await standin(account, "scenario", "record", story)).toMatch(
    /^Wrote 4 steps to .* and 1 file beside it\.$/m,
  );
  expect((await runHere(["scenario", "run", story])).stdout).toMatch(/1 of 1 scenario passed/);
});

test("what a recording cannot carry is listed on stderr", async () => {
  const account = program.account();
  const rule = { on: "startPhoneVerification", outcome: "sms_failed", probability: 0.5 } as const;
  await account.rules.add(rule);
  await account.update({ plan: "growth" });
  const recorded = await runHere(["scenario", "record", ...connectionTo(account)]);
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining("PATCH /account") });
  expect(recorded.stderr).toMatch(/^left out: a rule on startPhoneVerification that draws: .*\n$/);
});

test("an HTTP archive becomes a scenario that passes, a test or a pact, without a sandbox", async () => {
  const account = program.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  await call(account, "GET", "/v1/balance");
  const folder = freshFolder();
  const [archive, story] = [join(folder, "requests.har"), join(folder, "story.yaml")];
  await standin(account, "har", archive);
  // Some tools begin their files with a byte order mark.
  writeFileSync(archive, `\ufeff${readFileSync(archive, "utf8")}`);
  const record = (...args: string[]) => runHere(["scenario", "record", "--from-har", archive, ...args]);
  expect((await record(story)).stdout).toMatch(/^Wrote 2 steps to .*\.$/m);
  expect((await runHere(["scenario", "run", story])).stdout).toMatch(/1 of 1 scenario passed/);
  expect((await record("--as", "vitest")).stdout).toContain("/v1/balance");
  expect(JSON.parse((await record("--as", "pact")).stdout)).toMatchObject({ interactions: [{}, {}] });
  expect((await record("--since", "req_1")).stderr).toContain("--from-har");
});

test("a file that is no archive is refused with what is wrong with it", async () => {
  const file = join(freshFolder(), "broken.har");
  const refusalOf = async () => {
    const { code, stderr } = await runHere(["scenario", "record", "--from-har", file]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refusalOf()).toMatch(/broken\.har cannot be read: there is no such file/);
  writeFileSync(file, "{");
  expect(await refusalOf()).toMatch(/broken\.har is not JSON: /);
  writeFileSync(file, "\ufeff");
  expect(await refusalOf()).toContain("broken.har is empty");
  writeFileSync(file, '{"log":{}}');
  expect(await refusalOf()).toContain("broken.har is no HTTP archive: it has no log.entries");
});

/** Opens a bundle until the test has ended. */
async function openBundle(
  file: string,
): Promise<{ account: SandboxAccount; stop(): Promise<number | null> }> {
  const opened = spawn(process.execPath, [programFile, "open", file, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(opened, "exit");
  onTestFinished(() => void opened.kill());
  const [line] = (await once(opened.stdout.setEncoding("utf8"), "data")) as [string];
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  const stop = async () => {
    opened.kill("SIGTERM");
    return (await ended)[0] as number | null;
  };
  return { account: new SandboxAccount({ baseUrl: url, key }), stop };
}

test("standin open shows the account of a bundle in a sandbox of its own, with its clock paused", async () => {
  const account = program.account();
  const report = join(freshFolder(), "report.zip");
  const { body } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  await standin(account, "bundle", report);
  const { account: there, stop } = await openBundle(report);
  expect((await there.clock.get()).mode).toBe("paused");
  expect((await there.records.get(body.id)).record).toMatchObject({
    phone: "+2348031234567",
    status: "pending",
  });
  expect(await (await fetch(`${there.baseUrl}/`, { headers: { Accept: "text/html" } })).text()).toContain(
    "<title>",
  );
  expect(await stop()).toBe(0);
});

test("an opened bundle sends nothing: not what was due, nor retries, nor what happens there", async () => {
  let status = 503;
  const receiver = await startReceiver((_count, response) => response.writeHead(status).end());
  onTestFinished(() => receiver.close());
  const account = program.account();
  const report = join(freshFolder(), "report.zip");
  await account.clock.freeze("2026-03-02T09:00:00Z");
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.events.trigger("payout.paid");
  await account.advance("2s");
  await standinHere(account, "bundle", report);
  expect(receiver.received).toHaveLength(2);
  status = 204;

  const { account: there } = await openBundle(report);
  const [due] = await there.deliveries.list();
  expect(due).toMatchObject({ status: "pending", attempts: [{ status: 503 }, { status: 503 }] });
  await there.control("POST", `/deliveries/${due?.id}/retry`);
  await there.events.trigger("refund.processed");
  const profile = { business_name: "Ada", business_type: "registered", contact_phone: "+2348031234567" };
  await call(there, "PUT", "/v1/business/profile", profile);
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
  expect((await post(there, "/v1/business/virtual-accounts", customer)).status).toBe(201);
  await there.advance("2h");
  const deliveries = await there.deliveries.list();
  expect(deliveries.map(({ event }) => event)).toEqual([
    "virtual_account.created",
    "refund.processed",
    "payout.paid",
  ]);
  const unsent = { status: null, error: "not sent: the sandbox shows a bundle" };
  for (const delivery of deliveries)
    expect(delivery).toMatchObject({
      status: "failed",
      attempts: expect.arrayContaining([expect.objectContaining(unsent)]),
    });
  // An advance returns when all attempts have ended.
  expect(receiver.received).toHaveLength(2);
});

test("a bundle of a later major version, a damaged one and another file are refused with what is wrong", async () => {
  const account = program.account();
  const folder = freshFolder();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const report = join(folder, "report.zip");
  expect(await standinHere(account, "bundle", report)).toContain("3 activities and 0 deliveries");
  const bytes = readFileSync(report);
  const parts = unzipSync(bytes);
  const head = JSON.parse(strFromU8(parts["bundle.json"] as Uint8Array));
  const packed = (changes: Record<string, string>) =>
    zipSync({
      ...parts,
      ...Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, strToU8(text)])),
    });
  const { "history.json": _, ...incomplete } = parts;
  const later = { ...head, standin: { ...head.standin, version: "7.1.0" } };
  const changed = strFromU8(parts["snapshot.json"] as Uint8Array).replace("+2348031234567", "+2348031234568");
  const refused: [string, Uint8Array, string][] = [
    ["later.zip", packed({ "bundle.json": JSON.stringify(later) }), "was written by standin 7.1.0"],
    [
      "truncated.zip",
      bytes.subarray(0, bytes.length / 2),
      "is damaged, or no file that standin bundle wrote",
    ],
    ["text.zip", strToU8("no zip"), "is damaged, or no file that standin bundle wrote"],
    ["incomplete.zip", zipSync(incomplete), "it contains no history.json"],
    ["unversioned.zip", packed({ "bundle.json": "{}" }), "its bundle.json names no version"],
    ["changed.zip", packed({ "snapshot.json": changed }), "cannot be opened: checksum does not match"],
  ];
  for (const [name, file, reason] of refused) {
    writeFileSync(join(folder, name), file);
    const { code, stderr } = await runHere(["open", join(folder, name)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(stderr).toContain(join(folder, name));
  }
});
