import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox();

const setUp = (account: SandboxAccount, state: string, params: object) =>
  account.control("POST", "/pact/states", { state, params });

const ofTransfers = /from NGN 0.01 to NGN 1,000,000,000.00, with at most two decimals; .* is not/;
const ofPayouts = /from NGN 50.01 to NGN 990,000,000.00, with at most two decimals; .* is not/;

test.each<[string, object, RegExp]>([
  ["a lockd phone verification", {}, /no provider state "a lockd.*"a locked phone verification"/],
  ["a held payment", { amont: 5 }, /a held payment: amont .*parameters are amount/],
  ["a held payment", { amount: "5" }, /a held payment: amount must be a number/],

  ["a received payment", { amount: 0 }, ofTransfers],
  ["a settled balance", { amount: -0.01 }, ofTransfers],
  ["a held payment", { amount: -1 }, ofTransfers],
  ["a paid-out payment", { amount: 100 }, /amount must be from NGN 100.01 to .*; got 100/],
  ["a payment with an issue", { amount: 1e15 }, ofTransfers],
  ["a received payment", { amount: 7000.005 }, /amount must have at most two decimals; got 7000.005/],
  [
    "an open checkout",
    { amount: 5_000_001 },
    /amount must be from NGN 100.00 to NGN 5,000,000.00, with at most two decimals; 5000001 is not/,
  ],
  ["a requested payout", { amount: 50 }, ofPayouts],
  ["a paid payout", { amount: 999_000_000 }, ofPayouts],
  ["a failed payout", { amount: 100.001 }, /amount must have at most two decimals; got 100.001/],
  [
    "a requested refund",
    { amount: 0 },
    /amount must be from NGN 0.01 to NGN 1,000,000,000.00, with at most two decimals; 0 is not/,
  ],
  ["a failed refund", { amount: 5000.001 }, /amount must have at most two decimals; got 5000.001/],
  [
    "a wallet balance",
    { balance: 1e15 },
    /balance must be from NGN 0.00 to NGN 90,071,992,547,409.9., .*got/,
  ],
  ["a wallet balance", { balance: 0.001 }, /balance must be .*at most two decimals; got 0.001/],

  [
    "a verified address",
    { address: "zzz" },
    /"zzz" in \w+ is not on the map; .*such as 12 Allen Avenue, Ikeja, Lagos/,
  ],
  [
    "an address in review",
    { address: "12 Rue X", country: "FR" },
    /"12 Rue X" in FR is not on the map; .*Nigeria/,
  ],
  ["a verified address", { address: "Ikeja, Lagos" }, /would be review.*12 Allen Avenue, Ikeja, Lagos/],
  ["an address in review", { address: "Ikeja, Lagos" }, /would be failed.*12 Allen Avenue, Ikeja, Lagos/],

  [
    "an address in review",
    { address: "Allen Avenue, Ikeja, Lagos" },
    /only the street of "Allen Avenue, Ikeja, Lagos" is on the map, so the check would be failed/,
  ],

  ["an open message window", { to: "+2348031234567" }, /: to must be digits with country code/],
  ["a pending channel code", { to: "08031234567" }, /: to must be digits with country code/],

  ["an outcome", {}, /operation and outcome are needed, such as .*"verifyBvn"/],
  ["an outcome", { operation: "verifyBvn" }, /: outcome is needed, such as/],
  ["an outcome", { outcome: "match" }, /: operation is needed, such as/],
  ["an outcome", { operation: "verifyBvm", outcome: "match" }, /nearest is verifyBvn/],
  [
    "an outcome",
    { operation: "verifyBvn", outcome: "nope" },
    /verifyBvn has no outcome "nope"; it has match/,
  ],

  ["a media scan", { media_type: "sound" }, /media_type must be one of image, video, text/],
  ["a ready audit", { url: "https://unreachable.test" }, /does not answer; check the address\.$/],
  ["a registered webhook", { url: "ftp://x" }, /a registered webhook cannot be set up: .*url/],
])("%s with %j is refused in one sentence that suggests a correction", async (state, params, message) => {
  const refused = setUp(sandbox.account(), state, params);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toThrow(/[^.?][.?]$/);
});

test("a state that would undo an earlier one is refused: verifying the business releases the held payment", async () => {
  const account = sandbox.account();
  await setUp(account, "a held payment", {});
  await expect(setUp(account, "a received payment", { amount: 6_000_000 })).rejects.toThrow(
    /receive limit.*name a received payment before a held payment/,
  );
});
