/** Refusals from all parts of the program that refuse requests, each with its code. */
import type { ErrorCode } from "../../../src/contract/errors.js";
import type { SandboxAccount } from "../../../src/index.js";
import { customer } from "../../service/business/shop.js";
import { png, pngOf } from "../../support/forms.js";
import { call, post, type Reply } from "../../support/sandbox.js";
import { ask, named } from "./asking.js";

const start = "/v1/phone/verify/start";
const document = named("verifyDocument");
const charge = { amount: 5_000, ...customer, description: "Order 1042" };

export const refusals: [ErrorCode, string, (account: SandboxAccount) => Promise<Reply>][] = [
  ["route_not_found", "a path that is not there", (account) => call(account, "GET", "/v1/nowhere")],
  ["route_not_found", "a page that is not there", (account) => call(account, "GET", "/nowhere")],
  ["method_not_allowed", "another method", (account) => call(account, "DELETE", start)],
  [
    "invalid_api_key",
    "a refused key",
    (account) => call(account, "GET", "/v1/balance", undefined, { "X-Service-Key": "svc_test_invalid" }),
  ],
  ["malformed_json", "broken JSON", (account) => post(account, start, "{")],
  ["body_too_large", "too much JSON", (account) => post(account, start, { phone: "0".repeat(1_100_000) })],
  [
    "unsupported_media_type",
    "text in place of JSON",
    (account) => post(account, start, "{}", { "Content-Type": "text/plain" }),
  ],
  ["invalid_phone", "a field that is wrong", (account) => post(account, start, { phone: "12" })],
  [
    "file_too_large",
    "too large a file",
    (account) => ask(account, document, { files: { file: pngOf(15 * 1024 * 1024 + 1) } }),
  ],
  [
    "unsupported_media_type",
    "another kind of file",
    (account) => ask(account, document, { files: { file: Buffer.from("text") } }),
  ],
  [
    "unknown_field",
    "a file in a field that takes none",
    (account) => ask(account, document, { files: { picture: png } }),
  ],
  ["resource_not_found", "a record that is not there", (account) => call(account, "GET", "/v1/audits/aud_0")],
  [
    "business_profile_required",
    "a state that does not allow it",
    (account) => post(account, "/v1/business/charges", charge),
  ],
  ["rate_limited", "a limit", (account) => post(account, start, { phone: "+2348000000005" })],
  [
    "provider_unavailable",
    "a provider that is down",
    (account) => post(account, start, { phone: "+2348000000006" }),
  ],
  [
    "internal_error",
    "a fault",
    (account) => call(account, "GET", "/v1/balance", undefined, { "X-Sandbox-Outcome": "internal_error" }),
  ],
];
