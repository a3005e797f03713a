/** Deviations of a service from the sandbox in one thing each, which a drift run names. */
import { createHmac } from "node:crypto";
import type { Group } from "../../src/drift/groups.js";
import type { Asked, Deviate, Intercept, Reply } from "./deviating-service.js";
import { between, type PassOn, passOn } from "./deviating-webhooks.js";

export interface OneDeviation {
  readonly title: string;
  /** Groups of operations that the run asks. */
  readonly only: readonly Group[];
  readonly route: RegExp;
  readonly deviate?: () => Deviate;
  readonly intercept?: () => Intercept | Promise<Intercept>;
  /** Assumption, check or operation that the only finding names. */
  readonly named: string;
}

const all = /./;
const minuteMs = 60_000;

const renamed = (code: string, only: readonly Group[], named = `error.${code}`): OneDeviation => ({
  title: `${code} has another name`,
  only,
  route: all,
  deviate:
    () =>
    ({ body }) => {
      if (body?.error?.code === code) body.error.code = `other_${code}`;
    },
  named,
});

const otherStatus = (
  code: string,
  status: number,
  only: readonly Group[],
  named = `error.${code}`,
): OneDeviation => ({
  title: `${code} has the status ${status}`,
  only,
  route: all,
  deviate: () => (reply) => {
    if (reply.body?.error?.code === code) reply.status = status;
  },
  named,
});

const inErrors = (title: string, named: string, change: (reply: Reply) => void): OneDeviation => ({
  title,
  only: ["phone"],
  route: all,
  deviate: () => (reply) => {
    if (reply.status >= 400) change(reply);
  },
  named,
});

const refusal = (status: number, code: string): Reply => ({
  status,
  type: "application/json",
  body: {
    error: {
      type: "invalid_request_error",
      code,
      message: "No.",
      param: null,
      details: [],
      request_id: "req_1",
    },
  },
});

const onBody = (
  title: string,
  only: readonly Group[],
  route: RegExp,
  intercept: (body: Asked["body"]) => Reply | null,
  named: string,
): OneDeviation => ({
  title,
  only,
  route,
  intercept:
    () =>
    ({ body }) =>
      body ? intercept(body) : null,
  named,
});

/** Takes a value beyond the limit as if it were the last within it. */
const taken = (
  title: string,
  only: readonly Group[],
  route: RegExp,
  field: string,
  isBeyond: (value: never) => boolean,
  within: (value: never) => unknown,
  named: string,
): OneDeviation =>
  onBody(
    title,
    only,
    route,
    (body) => {
      if (field in body && isBeyond(body[field] as never)) body[field] = within(body[field] as never);
      return null;
    },
    named,
  );

const changed = (
  title: string,
  only: readonly Group[],
  route: RegExp,
  change: (body: Asked["body"], reply: Reply, count: number) => void,
  named: string,
): OneDeviation => ({
  title,
  only,
  route,
  deviate: () => (reply, count) => {
    if (reply.status < 300) change(reply.body, reply, count);
  },
  named,
});

const later = (text: string, minutes: number): string =>
  new Date(Date.parse(text) + minutes * minuteMs).toISOString();

const otherTime = (title: string, only: readonly Group[], route: RegExp, minutes: number, named: string) =>
  changed(
    title,
    only,
    route,
    (body) => {
      body.expires_at = later(body.expires_at, minutes);
    },
    named,
  );

const webhook = (title: string, pass: PassOn, named: string): OneDeviation => ({
  title,
  only: ["webhooks"],
  route: all,
  intercept: () => between(pass),
  named,
});

const signature = (title: string, change: (headers: Record<string, string>, value: string) => void) =>
  webhook(
    title,
    (passing, send) => {
      const { "x-service-signature": value = "", ...headers } = passing.headers;
      passing.headers = headers;
      change(passing.headers, value);
      return passOn(passing, send);
    },
    "webhook.signature",
  );

/** Changes the payload of each webhook, and signs it as the account does. */
const payload = (title: string, change: (body: Asked["body"]) => void, named: string): OneDeviation => ({
  title,
  only: ["webhooks"],
  route: all,
  ...(() => {
    let secret = "";
    return {
      deviate: () => (reply: Reply) => {
        secret = reply.body?.secret ?? secret;
      },
      intercept: () =>
        between((passing, send) => {
          const body = JSON.parse(passing.text);
          const before = JSON.stringify(body);
          change(body);
          if (JSON.stringify(body) === before) return passOn(passing, send);
          // With spaces, as the sandbox writes it.
          const text = JSON.stringify(body, null, 1);
          const signed = createHmac("sha256", secret).update(text).digest("hex");
          const headers = { ...passing.headers, "x-service-signature": signed };
          return passOn({ ...passing, text, headers }, send);
        }),
    };
  })(),
  named,
});

const start = /^POST \/v1\/phone\/verify\/start$/;
const check = /^POST \/v1\/phone\/verify\/check$/;
const token = /^POST \/v1\/streaming\/\w+\/token$/;
const otp = /^POST \/v1\/wa\/channels\/\w+\/otp$/;
const otpVerify = /^POST \/v1\/wa\/channels\/\w+\/otp\/verify$/;
const identity = /^POST \/v1\/wa\/channels\/\w+\/verify-identity$/;
const channels = /^POST \/v1\/wa\/channels$/;
const listed = /^GET \/v1\/wa\/channels$/;
const charges = /^POST \/v1\/business\/charges$/;
const payments = /^GET \/v1\/business\/payments$/;
const simulate = /^POST \/v1\/business\/test\/simulate-payment$/;
const overview = /^GET \/v1\/business\/overview$/;
const text = /^POST \/v1\/media-scan\/text$/;
const address = /^POST \/v1\/verify\/address$/;
const pricing = /^GET \/v1\/pricing$/;

const money = ["account", "phone"] as const;

const otherPrice = (type: string, price: number): OneDeviation =>
  changed(
    `the price of ${type} is another in the list`,
    ["account"],
    pricing,
    (body) => {
      for (const row of body.prices) if (row.type === type && row.channel === "api") row.price = price;
    },
    `price.${type}`,
  );

const otherFee = (amount: number, fee: number): OneDeviation =>
  changed(
    `the fee of NGN ${amount} is ${fee}`,
    ["business"],
    payments,
    (body) => {
      for (const payment of body.payments)
        if (payment.amount === amount)
          Object.assign(payment, { fee, net: Math.round((amount - fee) * 100) / 100 });
    },
    `fee.${amount}`,
  );

/** Counts by a field of the request, so that a deviation depends on what was sent before about the same. */
function counter() {
  const counts = new Map<string, number>();
  return (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
}

export const oneDeviation: readonly OneDeviation[] = [
  renamed("invalid_phone", ["phone"]),
  renamed("missing_field", ["phone", "business"]),
  renamed("validation_error", ["sessions"]),
  renamed("malformed_json", ["phone"]),
  renamed("unsupported_media_type", ["phone"]),
  renamed("invalid_template", ["phone"]),
  renamed("invalid_bvn", ["identity"]),
  renamed("invalid_nin", ["identity"]),
  renamed("invalid_licence_number", ["identity"]),
  renamed("invalid_account_number", ["identity"]),
  renamed("invalid_bank_code", ["identity"]),
  renamed("amount_not_in_kobo", ["business"]),
  renamed("amount_out_of_range", ["business"]),
  renamed("text_too_short", ["media"]),
  renamed("frames_out_of_range", ["media"]),
  renamed("file_unreadable", ["tools"]),
  renamed("body_too_large", ["tools"]),
  renamed("resource_not_found", ["phone", "audits"]),
  renamed("route_not_found", ["account"]),
  renamed("method_not_allowed", ["account"]),
  renamed("missing_api_key", ["account"]),
  renamed("invalid_api_key", ["account"]),
  renamed("invalid_state", ["channels"]),
  renamed("channel_not_connected", ["channels"]),
  renamed("account_not_resolved", ["business"]),
  renamed("insufficient_available_balance", ["business"]),
  renamed("refund_exceeds_payment", ["business"]),
  renamed("otp_hourly_limit", ["channels"], "limit.channel_code.per_hour"),
  otherStatus("resource_not_found", 400, ["phone", "audits"]),
  otherStatus("missing_api_key", 403, ["account"]),
  otherStatus("route_not_found", 400, ["account"]),
  otherStatus("invalid_state", 422, ["channels"]),
  {
    title: "invalid requests have the status 422",
    only: ["general", "phone"],
    route: all,
    deviate: () => (reply) => {
      if (reply.status === 400) reply.status = 422;
    },
    named: "errors.validation_status",
  },
  inErrors("errors name no param", "error.param", ({ body }) => {
    body.error.param = null;
  }),
  inErrors("errors have types of other names", "error.type", ({ body }) => {
    body.error.type = body.error.type.replace("_error", "");
  }),
  inErrors("errors have no request id", "error.fields", ({ body }) => {
    delete body.error.request_id;
  }),
  inErrors("errors have another content type", "error.media_type", (reply) => {
    reply.type = "text/json";
  }),
  {
    title: "a code too many is refused without Retry-After",
    only: ["channels"],
    route: otp,
    deviate: () => (reply) => {
      if (reply.status === 429) reply.without = ["retry-after"];
    },
    named: "limit.channel_code.per_hour",
  },
  {
    title: "a phone verification is locked after four tries",
    only: ["phone"],
    route: check,
    deviate: () => {
      const count = counter();
      return ({ status, body }) => {
        if (status < 300 && count(body.id) >= 4) body.status = "max_attempts_reached";
      };
    },
    named: "limit.phone.tries",
  },
  otherTime("a phone code is valid for 5 minutes", ["phone"], start, -5, "limit.phone.minutes"),
  {
    title: "a code of a channel is locked after four tries",
    only: ["channels"],
    route: otpVerify,
    intercept: () => {
      const count = counter();
      return ({ body }) =>
        typeof body?.code === "string" && /^\d{6}$/.test(body.code) && count(`${body.to}`) > 4
          ? {
              status: 200,
              type: "application/json",
              body: { valid: false, reason: "too_many_attempts", reference: null },
            }
          : null;
    },
    named: "limit.channel_code.tries",
  },
  {
    title: "a channel sends only two codes an hour to a person",
    only: ["channels"],
    route: otp,
    intercept: () => {
      const count = counter();
      return ({ body }) => (body?.to && count(`${body.to}`) > 2 ? refusal(429, "otp_hourly_limit") : null);
    },
    named: "limit.channel_code.per_hour",
  },
  otherTime(
    "a code of a channel is valid for 15 minutes",
    ["channels"],
    otp,
    5,
    "limit.channel_code.minutes",
  ),
  otherTime(
    "an identity question waits for 30 minutes",
    ["channels"],
    identity,
    -30,
    "limit.identity_check.minutes",
  ),
  otherTime(
    "an address check can be confirmed for a day",
    ["identity"],
    address,
    -2 * 24 * 60,
    "limit.address.minutes",
  ),
  changed(
    "a token of a session is valid for 30 minutes",
    ["sessions"],
    token,
    (body) => {
      body.expires_in_minutes = 30;
    },
    "limit.session.minutes",
  ),
  {
    title: "a business may receive NGN 2,000,000",
    only: ["business"],
    route: /^GET \/v1\/business\/overview$|simulate-payment$/,
    deviate:
      () =>
      ({ body }) => {
        if (body.limit !== undefined)
          Object.assign(body, { limit: 2_000_000, remaining: 2_000_000 - body.received });
      },
    intercept:
      () =>
      ({ body }) => {
        if (body?.amount === 2_000_001) body.amount = 5_000_001;
        return null;
      },
    named: "limit.business.received",
  },
  onBody(
    "a charge of NGN 5,000,000 is refused",
    ["business"],
    charges,
    ({ amount }) => (amount === 5_000_000 ? refusal(400, "amount_out_of_range") : null),
    "limit.createCharge.amount.maximum",
  ),
  taken(
    "a charge above NGN 5,000,000 is taken",
    ["business"],
    charges,
    "amount",
    (amount: number) => amount > 5_000_000,
    () => 5_000_000,
    "limit.createCharge.amount.maximum",
  ),
  onBody(
    "a charge of NGN 100 is refused",
    ["business"],
    charges,
    ({ amount }) => (amount === 100 ? refusal(400, "amount_out_of_range") : null),
    "limit.createCharge.amount.minimum",
  ),
  onBody(
    "a text of 800 characters is refused",
    ["media"],
    text,
    (body) => (body.text?.length === 800 ? refusal(400, "text_too_short") : null),
    "limit.scanText.text.minLength",
  ),
  taken(
    "a text of 799 characters is taken",
    ["media"],
    text,
    "text",
    (value: string) => value.length === 799,
    (value: string) => `${value}a`,
    "limit.scanText.text.minLength",
  ),
  onBody(
    "a room has a name of at most 255 characters",
    ["sessions"],
    token,
    (body) => (body.room_name?.length === 256 ? refusal(400, "validation_error") : null),
    "limit.createStreamingToken.room_name.maxLength",
  ),
  taken(
    "a code has up to 9 digits",
    ["channels"],
    otp,
    "length",
    (length: number) => length === 9,
    () => 8,
    "limit.sendChannelCode.length.maximum",
  ),
  onBody(
    "a code is valid for at most 29 minutes",
    ["channels"],
    otp,
    (body) => (body.ttl_minutes === 30 ? refusal(400, "validation_error") : null),
    "limit.sendChannelCode.ttl_minutes.maximum",
  ),
  taken(
    "an identity question takes six answers",
    ["channels"],
    identity,
    "max_attempts",
    (count: number) => count === 6,
    () => 5,
    "limit.startIdentityCheck.max_attempts.maximum",
  ),
  taken(
    "a channel has a label of 101 characters",
    ["channels"],
    channels,
    "label",
    (label: string) => label.length === 101,
    (label: string) => label.slice(1),
    "limit.createChannel.label.maxLength",
  ),
  taken(
    "a BVN may have 12 digits",
    ["identity"],
    /^POST \/v1\/verify\/bvn$/,
    "bvn",
    (bvn: string) => bvn.length === 12,
    (bvn: string) => bvn.slice(1),
    "limit.verifyBvn.bvn.maxLength",
  ),
  taken(
    "a radius of 0 is taken",
    ["identity"],
    address,
    "radius_m",
    (radius: number) => radius === 0,
    () => 1,
    "limit.verifyAddress.radius_m.exclusiveMinimum",
  ),
  otherPrice("bvn", 55),
  otherPrice("media_video", 900),
  otherPrice("session_voice", 3),
  changed(
    "a phone code costs more than its list price",
    money,
    start,
    (body) => {
      body.cost = 7;
    },
    "cost.phone_code",
  ),
  changed(
    "a minute of a session costs more than its list price",
    ["account", "sessions"],
    /^POST \/v1\/streaming\/video\/token$/,
    (body) => {
      body.price_per_minute = 6;
    },
    "cost.session_video",
  ),
  otherFee(4_999.99, 49.99),
  otherFee(5_001.49, 50.02),
  changed(
    "the flat fee is NGN 60 in the overview",
    ["business"],
    overview,
    (body) => {
      body.fees.flat = 60;
    },
    "fee.rules",
  ),
  changed(
    "the second text scan is free",
    ["media"],
    text,
    (body) => {
      body.cost = 0;
    },
    "free.media_text",
  ),
  changed(
    "a code that was never sent has expired",
    ["channels"],
    otpVerify,
    (body) => {
      if (body.reason === "no_pending_code") body.reason = "expired";
    },
    "state.channel_code.none",
  ),
  changed(
    "a new channel is connected at once",
    ["channels"],
    listed,
    (body) => {
      for (const channel of body) if (channel.label === "Standin drift") channel.status = "connected";
    },
    "state.channel.new",
  ),
  changed(
    "a payment above the receive limit succeeds",
    ["business"],
    simulate,
    (body) => {
      body.status = "success";
    },
    "state.payment.held",
  ),
  changed(
    "the payment of a new charge is held",
    ["business"],
    charges,
    (body) => {
      body.payment.status = "held";
    },
    "state.charge.new",
  ),
  signature("a signature is uppercase", (headers, value) => {
    headers["x-service-signature"] = value.toUpperCase();
  }),
  signature("a signature has a prefix", (headers, value) => {
    headers["x-service-signature"] = `sha256=${value}`;
  }),
  signature("a signature is in another header", (headers, value) => {
    headers["x-signature"] = value;
  }),
  signature("a signature is in base64", (headers, value) => {
    headers["x-service-signature"] = Buffer.from(value, "hex").toString("base64");
  }),
  signature("a signature has another key", (headers, value) => {
    headers["x-service-signature"] = createHmac("sha256", "another key").update(value).digest("hex");
  }),
  payload(
    "the documented webhook has id for job_id",
    (body) => {
      if (body.event !== "verification.completed") return;
      body.id = body.job_id;
      delete body.job_id;
    },
    "webhook.completed",
  ),
  payload(
    "the data of a webhook has an amount in text",
    (body) => {
      if (body.event === "virtual_account.created") body.data.active = "yes";
    },
    "webhook.payloads",
  ),
  changed(
    "a list of account numbers shows the newest alone",
    ["business"],
    /^GET \/v1\/business\/virtual-accounts$/,
    (body) => {
      body.accounts = body.accounts.slice(0, 1);
    },
    "state.listVirtualAccounts",
  ),
  changed(
    "a list of payments shows the newest alone",
    ["business"],
    payments,
    (body) => {
      body.payments = body.payments.slice(0, 1);
    },
    "state.listPayments",
  ),
  changed(
    "a list of sessions shows the newest alone",
    ["sessions"],
    /^GET \/v1\/streaming\/sessions$/,
    (_, reply) => {
      reply.body = reply.body.slice(0, 1);
    },
    "state.listStreamingSessions",
  ),
  changed(
    "a list of scans shows the newest alone",
    ["media"],
    /^GET \/v1\/media-scan$/,
    (_, reply) => {
      reply.body = reply.body.slice(0, 1);
    },
    "free.media_text",
  ),
  changed(
    "the activity log shows the newest entry alone",
    ["business"],
    /^GET \/v1\/business\/events$/,
    (body) => {
      body.events = body.events.slice(0, 1);
    },
    "state.listBusinessEvents",
  ),
  changed(
    "the overview has amounts in kobo",
    ["business"],
    overview,
    (body) => {
      for (const field of ["received", "balance", "available", "pending", "fees_charged"]) body[field] *= 100;
    },
    "money.overview",
  ),
  changed(
    "an identity question that nobody has answered has no resolved_at",
    ["channels"],
    /^GET \/v1\/wa\/channels\/\w+\/verify-identity\/\w+$/,
    (body) => {
      if (body.status === "pending") delete body.resolved_at;
    },
    "getIdentityCheck",
  ),
  {
    title: "one operation needs no API key",
    only: ["business"],
    route: /^GET \/v1\/business\/events$/,
    intercept:
      () =>
      ({ headers }) => {
        if (!headers.has("x-service-key")) headers.set("x-service-key", "svc_test_open_to_all");
        return null;
      },
    named: "error.missing_api_key",
  },
  changed(
    "times have an offset",
    ["phone"],
    start,
    (body) => {
      body.expires_at = body.expires_at.replace("Z", "+00:00");
    },
    "startPhoneVerification",
  ),
  payload(
    "the amounts of webhooks are in kobo",
    (body) => {
      if (body.event === "payment.received") body.data.amount *= 100;
    },
    "webhook.payloads",
  ),
  changed(
    "every session is a video",
    ["sessions"],
    /^POST \/v1\/streaming\/\w+\/token$/,
    (body) => {
      body.type = "video";
    },
    "state.session.type",
  ),
  webhook(
    "a webhook is text",
    (passing, send) => {
      passing.headers["content-type"] = "text/plain";
      return passOn(passing, send);
    },
    "webhook.request",
  ),
  webhook(
    "the first retry comes after 6 seconds",
    async (passing, send) => (passing.attempt === 2 ? 500 : passOn(passing, send)),
    "webhook.retries",
  ),
  webhook(
    "an answer with 404 ends a delivery",
    async (passing, send) => {
      const status = await passOn(passing, send);
      return status === 404 ? 204 : status;
    },
    "webhook.after_404",
  ),
  webhook(
    "a webhook arrives twice",
    async (passing, send) => {
      const { status } = await send(passing);
      if (status < 300) await send(passing);
      return status;
    },
    "webhook.after_200",
  ),
  webhook(
    "a redirect is followed",
    async (passing, send) => {
      const { status, headers, url } = await send(passing);
      if (status === 302) await fetch(new URL(headers.get("location") ?? "", url));
      return status;
    },
    "webhook.after_redirect",
  ),
  {
    title: "the events of an account come in another order",
    only: ["webhooks"],
    route: all,
    intercept: () => {
      let created = 0;
      let held: (() => Promise<unknown>) | null = null;
      return between(async (passing, send) => {
        // The probes and the check of the signature create an account each, before that of the order.
        if (passing.event === "virtual_account.created" && passing.attempt === 1 && ++created === 3) {
          held = () => send(passing);
          return 204;
        }
        const status = await passOn(passing, send);
        if (passing.event === "payment.received") await held?.();
        return status;
      });
    },
    named: "webhook.order",
  },
];
