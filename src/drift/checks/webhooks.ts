/** Checks of webhooks: signature, headers, retries and what follows each kind of answer. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { createAjv } from "../../contract/ajv.js";
import { signatureHeader } from "../../contract/headers.js";
import { isObject } from "../../contract/json.js";
import { type EventKind, events, payloadSchema } from "../../service/webhooks/events.js";
import { formatLength, minute, second } from "../../time/time.js";
import { retryDelays } from "../../world/webhooks/delivery.js";
import { sumsIn } from "../compare/compare-replies.js";
import { type ComparedSchema, describe, deviations, type SchemaTools } from "../compare/deviations.js";
import { type DriftWebhook, redirectedPath, type WebhookAnswer, webhookWaitMs } from "../receiver.js";
import {
  anyPayment,
  anyVirtualAccount,
  callsToDeliver,
  delivered,
  endpoint,
  exampleCall,
  newCause,
  registeredEndpoint,
} from "../records.js";
import { CouldNotCheck } from "../service-client.js";
import { ask, type DriftSide, idIn, made } from "../side.js";
import type { CheckRow, Facts } from "./check.js";

const algorithms = ["sha256", "sha1", "sha512", "md5"] as const;

/** Encodings of a digest, the documented one first. */
const encodings: Readonly<Record<string, (digest: Buffer) => string>> = {
  "lowercase hexadecimal": (digest) => digest.toString("hex"),
  "uppercase hexadecimal": (digest) => digest.toString("hex").toUpperCase(),
  base64: (digest) => digest.toString("base64"),
  base64url: (digest) => digest.toString("base64url"),
};

/** Returns what a signature may cover: the body, or the body after a timestamp of the headers. */
function signedTexts({ text, headers }: DriftWebhook): string[] {
  const stamps = Object.values(headers).flatMap((value) => /\b\d{10,13}\b/.exec(String(value))?.[0] ?? []);
  return [text, ...stamps.map((stamp) => `${stamp}.${text}`)];
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Key of every signature: the secret of --webhook-secret, or the secret that the registration returned. */
const secretOfEndpoint = "the secret of the endpoint";

/** Returns how the webhook is signed with the secret. */
function signatureOf(webhook: DriftWebhook, secret: string): Facts {
  const headers = Object.entries(webhook.headers).map(([name, value]) => [name, String(value)] as const);
  for (const [index, text] of signedTexts(webhook).entries())
    for (const algorithm of algorithms)
      for (const [encoding, encode] of Object.entries(encodings)) {
        const signature = encode(createHmac(algorithm, secret).update(text).digest());
        for (const [header, value] of headers) {
          if (!isSame(value.slice(-signature.length), signature)) continue;
          const prefix = value.slice(0, -signature.length);
          return {
            header,
            prefix: prefix.replaceAll(/\d{5,}/g, "N"),
            encoding,
            algorithm: `HMAC-${algorithm.toUpperCase()}`,
            covers: index === 0 ? "the body" : "a timestamp and the body",
            key: secretOfEndpoint,
          };
        }
      }
  return { ...signatureFormOf(webhook), algorithm: null, covers: null, key: "another than this secret" };
}

const hexDigest = /([0-9a-f]{64}|[0-9A-F]{64})$/;

/** Returns what a signature looks like without the secret. */
function signatureFormOf({ headers }: DriftWebhook): Facts {
  for (const [header, value] of Object.entries(headers)) {
    const digest = hexDigest.exec(String(value))?.[1];
    if (digest === undefined) continue;
    const prefix = String(value)
      .slice(0, -digest.length)
      .replaceAll(/\d{5,}/g, "N");
    const isUpper = /[A-F]/.test(digest);
    return { header, prefix, encoding: `${isUpper ? "uppercase" : "lowercase"} hexadecimal` };
  }
  return { header: "none with 64 hexadecimal digits", prefix: null, encoding: null };
}

const documentedForm = {
  header: signatureHeader.toLowerCase(),
  prefix: "",
  encoding: "lowercase hexadecimal",
} as const;

/** Returns the attempts of one event, once there are `enough` of them or `ms` have passed since the first. */
async function attemptsWithin(
  side: DriftSide,
  answer: WebhookAnswer,
  { ms, enough }: { ms: number; enough: number },
): Promise<{ attempts: readonly DriftWebhook[]; delays: readonly number[] }> {
  const receiver = await endpoint(side);
  const { create, isOwn } = newCause(side);
  receiver.answer(isOwn, answer);
  await made(create());
  const first = await receiver.next(isOwn, webhookWaitMs);
  if (!first) throw new CouldNotCheck("no virtual_account.created arrived at --webhook-url");
  const startedAt = side.now();
  const arrivals = [startedAt];
  while (side.now() - startedAt < ms && arrivals.length < enough) {
    const waited = side.now() - (arrivals.at(-1) ?? startedAt);
    await side.pass(Math.max(minStepMs, waited * stepShare));
    const count = receiver.all(isOwn).length;
    while (arrivals.length < count) arrivals.push(side.now());
  }
  receiver.answer(() => false, {});
  const delays = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
  return { attempts: receiver.all(isOwn), delays };
}

/** Precision of measured delays: at least this step, in ms, and this share of the time that has passed. */
const minStepMs = 250;
const stepShare = 0.05;

/** Returns the documented delay if the measured delay equals it within the tolerance of a network and a queue. */
function nearest(measuredMs: number | undefined, documentedMs: number): string {
  if (measuredMs === undefined) return "no attempt";
  const isClose = measuredMs >= documentedMs * 0.7 - 500 && measuredMs <= documentedMs * 1.3 + 1_200;
  return isClose ? formatLength(documentedMs) : formatLength(Math.round(measuredMs / second) * second);
}

/** The fields that all checks of webhooks have in common. */
const webhook = { operations: [], calls: callsToDeliver, receives: true } as const;

const retryCheck = (id: string, count: number, slow: boolean): CheckRow => {
  const documented = retryDelays.slice(0, count);
  const name = (index: number) => `retry_${index + 1}`;
  const sum = documented.reduce((all, delay) => all + delay, 0);
  // Longer than documented, so that late retries are seen.
  const passesMs = Math.round(sum * 1.15) + 3 * second;
  return {
    id,
    about: `the first ${count} delays between the attempts of a webhook that is answered with 500`,
    ...webhook,
    passesMs,
    slow,
    expected: Object.fromEntries(documented.map((delay, index) => [name(index), formatLength(delay)])),
    async observe(side) {
      const { delays } = await attemptsWithin(side, { status: 500 }, { ms: passesMs, enough: count + 1 });
      return Object.fromEntries(
        documented.map((delay, index) => [name(index), nearest(delays[index], delay)]),
      );
    },
  };
};

const asDocumented = "as documented";

const tools: SchemaTools = { ajv: createAjv(), follow: (schema) => schema };

/**
 * Returns where payloads deviate from the schemas of their events or their amounts do not add up, or `asDocumented`. The
 * fields beside `data` are shown for verification.completed only: the probe webhooks.payload covers the other events.
 */
function payloadOf(webhooks: readonly DriftWebhook[]): string {
  const found = webhooks.flatMap(({ body }) => {
    const event = isObject(body) ? String(body.event) : "none";
    if (!isEventKind(event)) return [`${describe(event)} is no event of the interface`];
    const isShown = event === "verification.completed";
    const { properties = {}, ...schema } = payloadSchema(event) as ComparedSchema;
    const fields = isShown
      ? { ...schema, properties }
      : {
          type: "object",
          properties: { data: properties.data ?? {}, created_at: properties.created_at ?? {} },
        };
    return [...deviations(tools, fields, body), ...sumsIn(body)].map(
      ({ at, problem }) => `${event}: ${at} ${problem}`,
    );
  });
  return found.length === 0 ? asDocumented : [...new Set(found)].join("; ");
}

const isEventKind = (event: string): event is EventKind => Object.hasOwn(events, event);

/** Longer than any service waits before its first retry, in ms. */
const afterFirstRetryMs = 10 * second;

const answerCheck = (
  id: string,
  about: string,
  answer: WebhookAnswer,
  expected: Facts,
  { slow = false, passesMs = afterFirstRetryMs } = {},
): CheckRow => ({
  id,
  about,
  ...webhook,
  passesMs,
  slow,
  expected,
  async observe(side) {
    const { attempts } = await attemptsWithin(side, answer, { ms: passesMs, enough: 2 });
    const repeated = { attempts: attempts.length > 1 ? "repeated" : "one" };
    if (!answer.redirects) return repeated;
    const followed = side.receiver?.all(({ path }) => path.endsWith(redirectedPath)) ?? [];
    return { followed: followed.length > 0, ...repeated };
  },
});

export const webhookChecks: readonly CheckRow[] = [
  {
    ...webhook,
    id: "webhook.signature",
    about: "header, prefix, encoding and algorithm of the signature",
    expected: { ...documentedForm, algorithm: "HMAC-SHA256", covers: "the body", key: secretOfEndpoint },
    async observe(side) {
      const { webhook: received } = await delivered(side);
      const secret = side.webhookSecret ?? (await registeredEndpoint(side)).secret;
      if (secret !== null) return signatureOf(received, secret);
      return { ...signatureFormOf(received), algorithm: null, covers: null, key: null };
    },
  },
  {
    ...webhook,
    id: "webhook.request",
    about: "method, content type and user agent of a webhook",
    expected: { method: "POST", media_type: "application/json" },
    async observe(side) {
      const { method, headers } = (await delivered(side)).webhook;
      const [media_type = ""] = String(headers["content-type"] ?? "none").split(";");
      // The user agent is noted and not compared: no client depends on it.
      const agent = String(headers["user-agent"] ?? "none").slice(0, 60);
      return { method, media_type: media_type.trim(), user_agent: agent.replaceAll(/\d{5,}/g, "N") };
    },
  },
  {
    ...webhook,
    id: "webhook.order",
    about: "the order of the events of an account number and its payment",
    calls: callsToDeliver + 1,
    expected: { order: "virtual_account.created, payment.received" },
    async observe(side) {
      const receiver = await endpoint(side);
      const id = await side.once("ordered account", async () => {
        const account = await anyVirtualAccount(side);
        await anyPayment(side, 5_000);
        return account;
      });
      const isOwn = ({ body }: DriftWebhook) =>
        isObject(body) && isObject(body.data) && [body.data.id, body.data.virtual_account_id].includes(id);
      for (const wanted of ["payment.received", "virtual_account.created"]) {
        const isWanted = (webhook: DriftWebhook) => isOwn(webhook) && eventOf(webhook) === wanted;
        if (!(await receiver.next(isWanted, webhookWaitMs)))
          throw new CouldNotCheck(`no ${wanted} arrived at --webhook-url`);
      }
      const events = receiver.all(isOwn).map(eventOf);
      const first = events.filter((event, index) => events.indexOf(event) === index);
      return { order: first.slice(0, 2).join(", ") };
    },
  },
  {
    ...webhook,
    id: "webhook.completed",
    about: "the webhook of an address check that has a result, whose payload the interface documents",
    operations: ["verifyAddress", "submitAddressLocation"],
    calls: 3,
    charges: { address: 1 },
    expected: { payload: asDocumented },
    async observe(side) {
      const receiver = await endpoint(side);
      const isCompleted = ({ text }: DriftWebhook) => text.includes("verification.completed");
      const before = receiver.all(isCompleted).length;
      const checked = await ask(side, "verifyAddress", exampleCall("verifyAddress"));
      const { body } = exampleCall("submitAddressLocation");
      const params = { id: idIn(checked) };
      await ask(side, "submitAddressLocation", { params, ...(body ? { body } : {}) });
      const isNew = (webhook: DriftWebhook) => receiver.all(isCompleted).indexOf(webhook) >= before;
      const received = await receiver.next(isNew, webhookWaitMs);
      if (!received) throw new CouldNotCheck("no verification.completed arrived at --webhook-url");
      return { payload: payloadOf([received]) };
    },
  },
  {
    ...webhook,
    id: "webhook.payloads",
    about: "the fields of every webhook that has arrived",
    expected: { payload: asDocumented },
    async observe(side) {
      await delivered(side);
      const receiver = await endpoint(side);
      return { payload: payloadOf(receiver.all((webhook) => eventOf(webhook) !== "verification.completed")) };
    },
  },
  retryCheck("webhook.retries", 3, false),
  retryCheck("webhook.all_retries", retryDelays.length, true),
  answerCheck("webhook.after_200", "attempts after an answer with 200", { status: 200 }, { attempts: "one" }),
  answerCheck(
    "webhook.after_404",
    "attempts after an answer with 404",
    { status: 404 },
    { attempts: "repeated" },
  ),
  answerCheck(
    "webhook.after_redirect",
    "attempts after an answer with 302, and whether the redirect is followed",
    { status: 302, redirects: true },
    { followed: false, attempts: "repeated" },
  ),
  answerCheck(
    "webhook.after_timeout",
    "attempts after no answer",
    { hangs: true },
    { attempts: "repeated" },
    {
      slow: true,
      passesMs: minute,
    },
  ),
];

const eventOf = ({ body }: DriftWebhook): string => (isObject(body) ? String(body.event) : "none");
