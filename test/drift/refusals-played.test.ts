/** One run of all checks of refusals: each is played, or named here with why not, and is invalid by the OpenAPI document too. */

import { beforeAll, expect, test } from "vitest";
import { createAjv } from "../../src/contract/ajv.js";
import { errorCodeOf } from "../../src/contract/error-body.js";
import type { ErrorCode } from "../../src/contract/errors.js";
import { methodOf, pathOf } from "../../src/contract/operation.js";
import { errorCodesOf } from "../../src/contract/refusals.js";
import { checks } from "../../src/drift/checks/index.js";
import { isAllowed } from "../../src/drift/groups.js";
import { planDrift } from "../../src/drift/plan-drift.js";
import { type DriftReport, runDrift } from "../../src/drift/run-drift.js";
import { ServiceClient } from "../../src/drift/service-client.js";
import { type DriftSide, sharedCalls } from "../../src/drift/side.js";
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

interface Document {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>;
}

type Called = {
  request: Parameters<ServiceClient["call"]>[1];
  reply: Awaited<ReturnType<ServiceClient["call"]>>;
};

class RecordingClient extends ServiceClient {
  readonly called: Called[] = [];

  override async call(...[id, request]: Parameters<ServiceClient["call"]>) {
    const reply = await super.call(id, request);
    this.called.push({ request, reply });
    return reply;
  }
}

let report: DriftReport;
let service: RecordingClient;
beforeAll(async () => {
  const plan = planDrift({
    ...limits,
    means: { ...everything, slow: true },
    scenarios: [],
    all: true,
  });
  const means = await meansFor(sandbox.account());
  service = new RecordingClient(means.service.options);
  report = await runDrift({
    plan: { ...plan, probes: [], checks: plan.checks.filter(({ kind }) => kind === "error") },
    inForce: defaults,
    means: { ...means, service },
    prefix: "standin-drift-test",
    at: 0,
    startOurs,
  });
  // Of limits, what they send is enough: other tests compare both sides.
  const side: DriftSide = { ...means, service, once: sharedCalls() };
  for (const check of checks.filter(({ id, kind }) => kind === "limit" && !id.endsWith(".size")))
    await check.observe(side);
  await means.receiver.close();
});

test("the checks play every refusal that a test key can cause without harm", () => {
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

test("every body that is refused with 400 is invalid by the contract, but for amounts with a third decimal", async () => {
  const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Document;
  const ajv = createAjv().addSchema({ ...document, $id: "document" });
  const isValid = ({ request, reply: { operation } }: Called): boolean => {
    const { content } = document.paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()]
      ?.requestBody ?? {
      content: {},
    };
    const text = JSON.stringify(content["application/json"]?.schema).replaceAll('"#/', '"document#/');
    return ajv.validate(JSON.parse(text), request?.body);
  };
  const refused = service.called.filter(
    ({ request, reply }) => reply.status === 400 && request?.body && !request.files && !request.rawBody,
  );
  expect(refused.length).toBeGreaterThan(100);
  const valid = refused
    .filter(isValid)
    .map(({ reply }) => `${reply.operation.id} ${errorCodeOf(reply.body)}`);
  // `multipleOf: 0.01` would make validators refuse amounts such as 2000.3, whose quotient is no whole number in binary.
  expect([...new Set(valid)]).toEqual(
    ["createCharge", "simulatePayment", "createPayout", "createRefund"].map(
      (id) => `${id} amount_not_in_kobo`,
    ),
  );
});
