/** Every refusal of an operation is played by a check, or is named here with why a run does not cause it. */
import { expect, test } from "vitest";
import type { ErrorCode } from "../../src/contract/errors.js";
import { errorCodesOf } from "../../src/contract/refusals.js";
import { isAllowed } from "../../src/drift/groups.js";
import { planDrift } from "../../src/drift/plan-drift.js";
import { runDrift } from "../../src/drift/run-drift.js";
import { serviceOperations } from "../../src/service/index.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { startOurs } from "./own-sandbox.js";
import { defaults, everything, limits, meansFor } from "./second-sandbox.js";

const sandbox = useListeningSandbox();

/** Refusals that no check of errors causes, on any operation or on those that are named. */
const notPlayed: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limited: "an outage or the pace of the run",
  internal_error: "an outage",
  storage_unavailable: "an outage",
  provider_unavailable: "an outage",
  provider_timeout: "an outage",
  insufficient_balance: "empties the wallet of the account",
  body_too_large: "is the same for all operations, and played on one",
  file_too_large: "played by the limits of uploads",
  otp_hourly_limit: "played by limit.channel_code.per_hour",
  otp_daily_limit: "played by limit.channel_code.per_day",
  plan_daily_cap: "takes many codes",
  link_expired: "takes days",
  video_too_long: "played by limit.video.seconds",
  document_unreadable: "depends on the picture",
  url_unreachable: "depends on the site, and costs an audit if it is reached",
  plan_required: "depends on the plan of the account",
  phone_number_required: "occurs with live keys alone",
  test_mode_only: "occurs with live keys alone",
  business_profile_required: "the account may have a profile",
  payout_account_required: "the account may have a payout account",
  duplicate_reference: "played by the probe business.reference_reuse",
};
const notPlayedOn: readonly string[] = [
  "verifyBvn invalid_phone", // A test key ignores phone_number.
  "submitAddressLocation invalid_state", // Needs a check that a person has ended.
  "submitAddressDocument invalid_state",
  "simulatePayment invalid_state", // Needs an account number that the service has closed.
  "createRefund insufficient_available_balance", // Played by the probe business.refund_balance.
  "sendChannelMessage missing_field", // A message without text is a validation_error.
];

test("the checks play every refusal that a test key can cause without harm", async () => {
  const plan = planDrift({
    ...limits,
    means: { ...everything, slow: true },
    scenarios: [],
    all: true,
  });
  const means = await meansFor(sandbox.account());
  const report = await runDrift({
    plan: { ...plan, probes: [], checks: plan.checks.filter(({ kind }) => kind === "error") },
    inForce: defaults,
    means,
    prefix: "standin-drift-test",
    at: 0,
    startOurs,
  });
  await means.receiver.close();
  expect(report.findings).toEqual([]);
  const played = new Set(
    report.checks.map(
      ({ check, observed }) => `${check.split(".")[1]} ${/answer \d+ (\w+)/.exec(observed ?? "")?.[1]}`,
    ),
  );
  const declared = serviceOperations
    .filter(({ id, auth }) => auth === "key" && isAllowed(id, false))
    .flatMap((operation) =>
      errorCodesOf(operation, { serviceOnly: true, inForce: defaults })
        .filter((code) => !(code in notPlayed))
        .map((code) => `${operation.id} ${code}`),
    );
  expect(declared.filter((one) => !played.has(one)).sort()).toEqual([...notPlayedOn].sort());
  expect(played.size).toBeGreaterThan(200);
});
