/** `standin webhooks check` of a receiver that only a listener reaches. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import type { ReceiverReport } from "../../../src/index.js";
import { type behaviours, secret, startFaulty } from "../../receiver-check/faulty-receivers.js";
import { expectedSignature, startReceiver } from "../../support/receiver.js";
import { runHere } from "../run-here.js";
import { connectionTo, useProgram } from "../use-program.js";
import { listen } from "./listening.js";

const program = useProgram();

const listenTo = (account: SandboxAccount, ...args: string[]) =>
  listen(account, ...args, "--relay", "checked");

async function receiver(name: keyof typeof behaviours): Promise<string> {
  const started = await startFaulty(name);
  onTestFinished(() => started.close());
  return started.url;
}

async function check(url: string, account: SandboxAccount, ...args: string[]) {
  const finished = await runHere([
    ...["webhooks", "check", url, "--timeout", "5s", ...connectionTo(account)],
    ...args,
  ]);
  return { ...finished, report: (finished.stdout ? JSON.parse(finished.stdout) : {}) as ReceiverReport };
}

test.each<keyof typeof behaviours>(["right", "takes everything", "dies of a wrong signature"])(
  "a receiver gets the same verdicts through a relay as directly: %s",
  async (name) => {
    const account = program.account();
    const args = ["--secret", secret, "--seed", "one", "--json"];
    const direct = await check(await receiver(name), account, ...args);
    await listenTo(account, await receiver(name), "--forward-only", "payout.paid");
    const relayed = await check("relay:checked", account, ...args);
    const verdicts = ({ report }: typeof direct) => report.results.map(({ id, verdict }) => [id, verdict]);
    expect(verdicts(relayed)).toEqual(verdicts(direct));
    expect([relayed.code, relayed.stderr, relayed.report.url]).toEqual([direct.code, "", "relay:checked"]);
  },
);

test("the secret is the account's by default, and the listener shows each check", async () => {
  vi.stubEnv("WEBHOOK_SECRET", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const account = program.account();
  const { url, received, close } = await startReceiver();
  onTestFinished(close);
  const listening = await listenTo(account, url);
  const { code } = await check("relay:checked", account, "--only", "event/payout.paid", "--json");
  const { items } = await account.control<{ items: { secret: string }[] }>("GET", "/webhooks");
  expect(code).toBe(0);
  expect(received[0]?.headers["x-service-signature"]).toBe(
    expectedSignature(received[0]?.body as Buffer, items[0]?.secret as string),
  );
  expect(await listening.waitFor(/event\/payout/)).toMatch(/Z {2}event\/payout\.paid +200 {2}\d+ ms\n/);
});

test("without a listener, or with one that only prints, the reason is reported", async () => {
  const account = program.account();
  const missing = await check("relay:checked", account, "--secret", secret);
  expect([missing.code, missing.stdout]).toEqual([2, ""]);
  expect(missing.stderr).toContain("no listener is connected to relay:checked");
  await listenTo(account, "--print");
  const printing = await check("relay:checked", account, "--secret", secret);
  expect([printing.code, printing.stderr]).toEqual([
    2,
    expect.stringContaining("the listener was started without the URL of a receiver"),
  ]);
});
