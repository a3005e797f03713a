import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { programFile } from "../../support/program.js";
import { startReceiver } from "../../support/receiver.js";
import { post } from "../../support/sandbox.js";
import { hasTerminals } from "../client-programs.js";
import { spawnOnTerminal } from "../spawned-program.js";
import { connectionTo, standin, standinHere, useProgram } from "../use-program.js";

const program = useProgram();

const startPhone = (account: SandboxAccount) =>
  post(account, "/v1/phone/verify/start", { phone: "08031234567" });

describe("standin trigger", () => {
  test("sends an event with example data and lists its endpoints", async () => {
    const account = program.account();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    expect(await standin(account, "trigger", "payout.paid")).toMatch(
      /^payout\.paid \(evt_\w+\) is sent to 1 endpoint:\n {2}http:\/\/127\.0\.0\.1:9\/hook\n$/,
    );
  });

  test("reports that no endpoint is registered for the event", async () => {
    const account = program.account();
    expect(await standinHere(account, "trigger", "payout.paid")).toMatch(
      /was not sent\. Nobody receives payout\.paid: the account has no endpoint\. POST \/v1\/webhooks /,
    );
    expect(await account.events.list()).toHaveLength(1);
  });

  test("sends the data of --data", async () => {
    const account = program.account();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    const sent = await standinHere(
      account,
      "trigger",
      "payout.paid",
      "--data",
      '{"reference":"order-1"}',
      "--json",
    );
    expect(JSON.parse(sent)).toMatchObject({ event: "payout.paid", data: { reference: "order-1" } });
    expect(await account.events.list()).toEqual([JSON.parse(sent)]);
  });
});

describe("standin advance", () => {
  test("advances the clock and lists the jobs that ran", async () => {
    const account = program.account();
    await startPhone(account);
    const output = await standin(account, "advance", "24h");
    expect(output).toMatch(
      /^The account's clock is at \S+Z\. 1 job ran:\n\nat +job +id or error\n\S+Z +The code for \+\d+ expires\. +phv_\w+\n$/,
    );
    expect(await standinHere(account, "advance", "next")).toContain("No job fell due.");
  });

  test("advances to a time, and to the next due job", async () => {
    const account = program.account();
    await startPhone(account);
    const { next_due } = await account.clock.get();
    expect(JSON.parse(await standinHere(account, "advance", "next", "--json")).ran).toMatchObject([
      { at: next_due },
    ]);
    expect(await standinHere(account, "advance", "2099-01-31T09:00:00Z")).toContain("2099-01-31T09:00:00");
  });
});

describe("standin advance with more jobs than fit a screen", () => {
  test("summarises them by kind; --verbose lists them", async () => {
    const summarised = program.account();
    for (let i = 0; i < 21; i++) await startPhone(summarised);
    const summary = await standinHere(summarised, "advance", "24h");
    expect(summary).toMatch(
      /21 jobs ran \(--verbose lists them\):\n\njob +count +first +last +such as\nphone verification: expire +21 +\S+Z +\S+Z +The code for \+\d+ expires\.\n$/,
    );
    const listed = program.account();
    for (let i = 0; i < 21; i++) await startPhone(listed);
    const list = await standinHere(listed, "advance", "24h", "--verbose");
    expect(list.match(/^\S+Z +The code for \+\d+ expires\. +phv_/gm)).toHaveLength(21);
  });

  test.skipIf(!hasTerminals)("shows on a terminal how far the clock has come while it waits", async () => {
    const account = program.account();
    const waiting: ServerResponse[] = [];
    let isWaiting = true;
    const { url, close } = await startReceiver((_count, response) => {
      if (isWaiting) waiting.push(response);
      else response.end();
    });
    onTestFinished(() => close());
    await account.clock.freeze();
    await post(account, "/v1/webhooks", { url });
    await account.events.trigger("payout.paid");
    const line = [process.execPath, programFile, "advance", "24h", ...connectionTo(account)].join(" ");
    const advancing = spawnOnTerminal(line);
    onTestFinished(() => void advancing.child.kill("SIGKILL"));
    await advancing.waitFor(/Waiting for the jobs that fall due; now at \d{4}-\S+Z \(\d+ s\)/);
    isWaiting = false;
    for (const response of waiting) response.end();
    await advancing.waitFor(/The account's clock is at/);
  });
});

describe("standin inbox", () => {
  test("lists messages with their codes, filtered by recipient and channel", async () => {
    const account = program.account();
    await startPhone(account);
    const [message] = await account.inbox.list();
    const listed = await standin(account, "inbox");
    expect(listed.split("\n")[0]).toMatch(/^at +channel +to +codes +text$/);
    expect(listed).toContain(`sms      +2348031234567  ${message?.codes[0]}`);
    expect(await standinHere(account, "inbox", "--to", "08031234567", "--channel", "sms")).toBe(listed);
    expect(await standinHere(account, "inbox", "--to", "08030000000")).toBe(
      "No message in the inbox matches.\n",
    );
    expect(JSON.parse(await standinHere(account, "inbox", "--json")).items).toEqual([message]);
  });

  test("reports an empty inbox", async () => {
    expect(await standinHere(program.account(), "inbox")).toBe("The inbox is empty.\n");
  });

  test("does not print control characters of messages", async () => {
    const account = program.account();
    const template = "Code {code} \u001b[2J\u0007 for\nyou";
    const { status } = await post(account, "/v1/phone/verify/start", { phone: "08031234567", template });
    const listed = await standinHere(account, "inbox");
    expect([status, listed.trimEnd().split("\n").length]).toEqual([201, 2]);
    expect(listed).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
