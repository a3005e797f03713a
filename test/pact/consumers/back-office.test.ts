/** The consumer tests of a back office that uses the rest of the service: a table with one interaction per row. */
import { MatchersV3 } from "@pact-foundation/pact";
import { expect, test } from "vitest";
import {
  type Call,
  Consumer,
  formOf,
  formType,
  fromState,
  idLike,
  key,
  pathFromState,
  refusal,
  timestamp,
} from "./consumer.js";

const { boolean, eachLike, integer, like, nullValue, number, regex, string } = MatchersV3;

const consumer = new Consumer("back-office");

const withToken = { Authorization: "Bearer a.signed.token" };
const photo = { field: "file", filename: "selfie.jpg", contentType: "image/jpeg" };
const clip = { field: "file", filename: "clip.mp4", contentType: "video/mp4" };
const to = "2348031234567";
const day = regex("\\d{4}-\\d{2}-\\d{2}", "2026-01-31");
const scan = {
  id: idLike("scn_"),
  status: "completed",
  verdict: string("inconclusive"),
  signal_count: integer(2),
};
const audit = { id: idLike("aud_"), url: regex("https?://.+", "https://shop.example.com/") };
const unread = { score: nullValue(), grade: nullValue(), tier: "deep" };
const domain = { id: idLike("dom_"), token: string("service-verify-0123"), dns_txt: { type: "TXT" } };
const answered = { kind: "identity", attempts: integer(0) };
const record = { id: idLike("ver_"), status: "success", match: boolean(true) };
const colours = { primary_color: "#0F766E", secondary_color: "#134E4A" };

const calls: readonly Call[] = [
  {
    description: "the wallet",
    given: [["a wallet balance", { balance: 500 }]],
    request: { method: "GET", path: "/v1/balance" },
    reply: { status: 200, body: { balance: 500, currency: "NGN", low_balance: boolean(true) } },
  },
  {
    description: "what was used",
    request: { method: "GET", path: "/v1/usage", query: { from: "2026-01-01", to: "2026-01-31" } },
    reply: { status: 200, body: { total_calls: integer(0), total_cost: number(0), items: [] } },
  },
  {
    description: "the prices",
    request: { method: "GET", path: "/v1/pricing" },
    reply: {
      status: 200,
      body: { prices: eachLike({ type: string("bvn"), price: number(50), unit: string("call") }) },
    },
  },
  {
    description: "the wallet, without a key",
    request: { method: "GET", path: "/v1/balance", headers: { Accept: "application/json" } },
    reply: { status: 401, body: refusal("missing_api_key", "authentication_error") },
  },

  {
    description: "a driver's licence",
    request: { method: "POST", path: "/v1/verify/frsc", body: { licence_number: "ABC000000000" } },
    reply: { status: 200, body: { ...record, type: "frsc", data: { expiry_date: day } } },
  },
  {
    description: "the name on a bank account",
    request: {
      method: "POST",
      path: "/v1/verify/bank-account",
      body: { account_number: "0000000000", bank_code: "058" },
    },
    reply: { status: 200, body: { ...record, data: { account_name: string("NGOZI OKAFOR") } } },
  },
  {
    description: "a bank account that there is not",
    request: {
      method: "POST",
      path: "/v1/verify/bank-account",
      body: { account_number: "0000000001", bank_code: "058" },
    },
    reply: { status: 200, body: { status: "not_found", match: false, data: nullValue() } },
  },
  {
    description: "a bank account and a BVN",
    request: {
      method: "POST",
      path: "/v1/verify/bvn-account-match",
      body: { account_number: "0000000000", bank_code: "058", bvn: "22222222220" },
    },
    reply: {
      status: 200,
      body: { ...record, data: { match_status: "FULL_MATCH", match_percentage: number(100) } },
    },
  },

  {
    description: "a token for a room",
    request: {
      method: "POST",
      path: "/v1/streaming/video/token",
      body: { identity: "ngozi", role: "publisher" },
    },
    reply: {
      status: 201,
      body: { session_id: idLike("cs_"), url: regex("wss?://.+", "wss://media.example.com"), type: "video" },
    },
  },
  {
    description: "the sessions",
    given: [["a completed real-time session", { minutes: 12 }]],
    request: { method: "GET", path: "/v1/streaming/sessions" },
    reply: {
      status: 200,
      body: eachLike({
        id: idLike("cs_"),
        status: "completed",
        duration_seconds: number(720),
        cost: number(60),
      }),
    },
  },

  {
    description: "a logo",
    request: {
      method: "POST",
      path: "/v1/tools/generate-logo",
      body: { company_name: "Ada", style: "badge", size: 256, ...colours },
    },
    reply: { status: 200, file: { type: "image/svg+xml" } },
  },
  {
    description: "what the app stores want",
    request: { method: "POST", path: "/v1/tools/store-assets", form: formOf(photo) },
    reply: { status: 400, body: refusal("missing_field", "invalid_request_error") },
  },

  {
    description: "an audit",
    request: { method: "POST", path: "/v1/audits", body: { url: "https://shop.example.com" } },
    reply: {
      status: 201,
      body: {
        ...audit,
        status: "ready",
        score: integer(80),
        findings: eachLike({ severity: string("warning"), title: string("No CSP") }),
      },
    },
  },
  {
    description: "a deep audit",
    request: { method: "POST", path: "/v1/audits", body: { url: "https://shop.example.com", tier: "deep" } },
    reply: {
      status: 201,
      body: { ...audit, ...unread, status: "pending", active_tests_run: boolean(false) },
    },
  },
  {
    description: "the audits",
    given: [["a ready audit"]],
    request: { method: "GET", path: "/v1/audits" },
    reply: { status: 200, body: eachLike({ ...audit, status: "ready", created_at: timestamp }) },
  },
  {
    description: "an audit that is ready",
    given: [["a ready audit"]],
    request: { method: "GET", path: pathFromState("/v1/audits/{id}", "aud_0") },
    reply: { status: 200, body: { ...audit, status: "ready", grade: regex("[ABCDF]", "B") } },
  },
  {
    description: "an audit at work",
    given: [["a pending deep audit"]],
    request: { method: "GET", path: pathFromState("/v1/audits/{id}", "aud_0") },
    reply: { status: 200, body: { ...audit, ...unread, status: "pending" } },
  },
  {
    description: "an audit that failed",
    given: [["a failed deep audit"]],
    request: { method: "GET", path: pathFromState("/v1/audits/{id}", "aud_0") },
    reply: { status: 200, body: { ...audit, ...unread, status: "failed" } },
  },

  {
    description: "a domain to verify",
    request: {
      method: "POST",
      path: "/v1/domains/verify/start",
      headers: withToken,
      body: { domain: "shop.example.com" },
    },
    reply: { status: 201, body: { ...domain, domain: "shop.example.com" } },
  },
  {
    description: "a domain without a proof",
    given: [["a pending domain"]],
    request: {
      method: "POST",
      path: pathFromState("/v1/domains/verify/{domain_id}/check", "dom_0"),
      headers: withToken,
    },
    reply: { status: 200, body: { verified: false } },
  },
  {
    description: "a domain with its record",
    given: [["a published domain proof"]],
    request: {
      method: "POST",
      path: pathFromState("/v1/domains/verify/{domain_id}/check", "dom_0"),
      headers: withToken,
    },
    reply: { status: 200, body: { verified: true, method: "dns_txt" } },
  },

  {
    description: "a photo to judge",
    request: { method: "POST", path: "/v1/media-scan/image", form: formOf(photo) },
    reply: { status: 201, body: { ...scan, media_type: "image", classifier_model: string("model") } },
  },
  {
    description: "a text to judge",
    request: {
      method: "POST",
      path: "/v1/media-scan/text",
      body: { text: "One word follows another. ".repeat(40) },
    },
    reply: { status: 201, body: { ...scan, media_type: "text", text_char_count: integer(1_040) } },
  },
  {
    description: "a video to judge",
    request: { method: "POST", path: "/v1/media-scan/video", query: { frames: "4" }, form: formOf(clip) },
    reply: { status: 201, body: { ...scan, media_type: "video", frames_sampled: integer(4) } },
  },
  {
    description: "the scans of a new account",
    request: { method: "GET", path: "/v1/media-scan", query: { media_type: "image" } },
    reply: { status: 200, body: [] },
  },

  {
    description: "the channels",
    given: [["a connected channel"]],
    request: { method: "GET", path: "/v1/wa/channels" },
    reply: {
      status: 200,
      body: eachLike({ id: idLike("wac_"), phone: regex("\\d+", to), status: "connected" }),
    },
  },
  {
    description: "a new channel",
    request: { method: "POST", path: "/v1/wa/channels", body: { label: "Support" } },
    reply: { status: 201, body: { label: "Support", phone: nullValue(), status: "disconnected" } },
  },
  {
    description: "a channel to link",
    given: [["a disconnected channel"]],
    request: { method: "POST", path: pathFromState("/v1/wa/channels/{channel_id}/connect", "wac_0") },
    reply: {
      status: 200,
      body: { status: "connecting", qr: { code: string("2@0") }, pairing_code: string("ABCD-EFGH") },
    },
  },
  {
    description: "a message to who has written",
    given: [["an open message window", { to }]],
    request: {
      method: "POST",
      path: pathFromState("/v1/wa/channels/{channel_id}/send", "wac_0"),
      body: { to, text: "It is on its way." },
    },
    reply: { status: 200, body: { sent: 1, session_active: true } },
  },
  {
    description: "a code by message",
    given: [["a plan", { plan: "growth" }], ["a connected channel"]],
    request: {
      method: "POST",
      path: pathFromState("/v1/wa/channels/{channel_id}/otp", "wac_0"),
      body: { to },
    },
    reply: { status: 201, body: { kind: "otp", to, status: "pending", expires_at: timestamp } },
  },
  {
    description: "a code by message on a small plan",
    given: [["a connected channel"], ["a plan", { plan: "starter" }]],
    request: {
      method: "POST",
      path: pathFromState("/v1/wa/channels/{channel_id}/otp", "wac_0"),
      body: { to },
    },
    reply: { status: 403, body: refusal("plan_required", "permission_error") },
  },
  {
    description: "the right code of a message",
    given: [["a pending channel code", { to }]],
    request: {
      method: "POST",
      path: pathFromState("/v1/wa/channels/{channel_id}/otp/verify", "wac_0"),
      body: { to, code: fromState("code", "123456") },
    },
    reply: { status: 200, body: { valid: true, reason: nullValue() } },
  },
  {
    description: "a question",
    given: [["a plan", { plan: "growth" }], ["a connected channel"]],
    request: {
      method: "POST",
      path: pathFromState("/v1/wa/channels/{channel_id}/verify-identity", "wac_0"),
      body: { to, question: "Your first school?", expected: "Queen's College" },
    },
    reply: { status: 201, body: { ...answered, status: "pending" } },
  },
  {
    description: "a question without an answer",
    given: [["an open identity question"]],
    request: {
      method: "GET",
      path: pathFromState("/v1/wa/channels/{channel_id}/verify-identity/{id}", "wac_0", "idq_0"),
    },
    reply: { status: 200, body: { ...answered, status: "pending", resolved_at: nullValue() } },
  },
  {
    description: "a question with the right answer",
    given: [["an answered identity question"]],
    request: {
      method: "GET",
      path: pathFromState("/v1/wa/channels/{channel_id}/verify-identity/{id}", "wac_0", "idq_0"),
    },
    reply: { status: 200, body: { ...answered, status: "verified", resolved_at: timestamp } },
  },
];

/** Calls the service as the back office does, and returns any answer. */
async function ask(url: string, { path, ...request }: Call["request"]): Promise<Response> {
  const { method, query, body, form, headers = { "X-Service-Key": key } } = request;
  const type = form ? formType : body === undefined ? null : "application/json";
  const example = typeof path === "string" ? path : String(path.value);
  return fetch(`${url}${example}${query ? `?${new URLSearchParams(query)}` : ""}`, {
    method,
    headers: { ...headers, ...(type && { "Content-Type": type }) },
    ...(form && { body: new Uint8Array(form) }),
    ...(body !== undefined && { body: JSON.stringify(MatchersV3.reify(body as object)) }),
  });
}

test.each(calls)("$description", (call) =>
  consumer.play(call, async ({ url }) => {
    const response = await ask(url, call.request);
    expect(response.status).toBe(call.reply.status);
    if (call.reply.file) expect(response.headers.get("Content-Type")).toBe(call.reply.file.type);
    else expect(await response.json()).toEqual(MatchersV3.reify(call.reply.body as object));
  }),
);

test("the end of an identity question arrives as a webhook", async () => {
  const data = { ...answered, id: like("idq_0"), status: "verified" };
  const heard = await consumer
    .hearing("verification", data, ["an answered identity question"])
    .executeTest(async ({ contents }) => contents.content);
  expect(heard).toMatchObject({ event: "verification", data: { status: "verified" } });
});

consumer.testCommitted();
