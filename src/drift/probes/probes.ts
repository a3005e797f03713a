/** Probes of the assumptions, by section: each finds which value the service has. */

import { minute, second } from "../../time/time.js";
import {
  callsToCreateAccount,
  connectedChannel,
  pixel,
  postVirtualAccount,
  requestVirtualAccount,
  unpayableAmount,
  wrongCodes,
} from "../records.js";
import {
  CouldNotCheck,
  isRefusal,
  isSuccess,
  listIn,
  NotTestable,
  type ServiceReply,
  valueIn,
} from "../service-client.js";
import { type DriftSide, idIn, poll, readerOfCodes } from "../side.js";
import { byAnswer, byStatus, ofReply, type Probes } from "./probe.js";
import { webhookProbes } from "./webhooks.js";

/** Sends a request with an invalid phone number, which every service refuses. */
const refusedPhone = ({ service, once }: DriftSide): Promise<ServiceReply> =>
  once("refused phone", () => service.call("startPhoneVerification", { body: { phone: "12" } }));

const startPhone = ({ service, phone, reference }: DriftSide): Promise<ServiceReply> =>
  service.call("startPhoneVerification", { body: { phone, reference: reference() } });

/** A verification that several probes use. */
const startedPhone = (side: DriftSide): Promise<ServiceReply> =>
  side.once("started phone", () => startPhone(side));

const general = { group: "general", calls: 1 } as const;
const oneCode = { phone_code: 1 };

const logo = {
  company_name: "Standin Drift",
  style: "monogram",
  primary_color: "#0F766E",
  secondary_color: "#FFFFFF",
  size: 64,
};
const unknownField = { standin_drift: "1" };

/** Probes of what holds for every operation: errors, statuses and unknown fields. */
const generalProbes = {
  "errors.body": ofReply(general, refusedPhone, (reply) => {
    const has = (...path: string[]) => typeof valueIn(reply, ...path) === "string";
    const isProblem = reply.mediaType === "application/problem+json" && has("type") && has("title");
    const isFlat = has("code") && has("message") && valueIn(reply, "error") === undefined;
    const isEnvelope = has("error", "code") && has("error", "message");
    const value = isProblem ? "problem" : isFlat ? "flat" : isEnvelope ? "envelope" : null;
    return { value, note: `${reply.mediaType || "no content type"}` };
  }),

  "errors.validation_status": ofReply(general, refusedPhone, byStatus({ 400: "400", 422: "422" })),

  /** A payout that the account cannot pay: a well-formed request that its state does not allow. */
  "errors.other_statuses": ofReply(
    { ...general, calls: 2 },
    async (side) => side.service.call("createPayout", { body: { amount: await unpayableAmount(side) } }),
    byStatus({ 400: "400", 422: "422" }),
  ),

  "http.created": ofReply(
    { ...general, charges: oneCode },
    startedPhone,
    byStatus({ 200: "ok", 201: "created" }),
  ),

  "fields.unmarked": {
    ...general,
    calls: 3,
    async observe({ service }) {
      const inQuery = await service.call("getBalance", { query: unknownField });
      const inBody = await service.call("generateLogo", { body: { ...logo, ...unknownField } });
      const replies = [inQuery, inBody];
      if (replies.every(isSuccess)) return { value: "ignored", replies };
      if (!replies.every(isRefusal)) return { value: null, replies };
      // The refusals are about the unknown field if the same request without it succeeds.
      const known = await service.call("generateLogo", { body: logo });
      return { value: isSuccess(known) ? "refused" : null, replies: [...replies, known] };
    },
  },

  "fields.null": ofReply(
    { ...general, charges: oneCode },
    ({ service, phone }) => service.call("startPhoneVerification", { body: { phone, reference: null } }),
    byAnswer({ taken: "omitted", refused: "refused" }),
  ),

  "charging.test_keys": {
    ...general,
    calls: 3,
    charges: oneCode,
    async observe({ service, phone }) {
      const before = await service.call("getBalance");
      const priced = await service.call("startPhoneVerification", { body: { phone } });
      const after = await service.call("getBalance");
      const replies = [before, priced, after];
      const [had, has] = [before, after].map((reply) => valueIn(reply, "balance"));
      if (!replies.every(isSuccess) || typeof had !== "number" || typeof has !== "number")
        return { value: null, replies };
      const value = has < had ? "debited" : has === had ? "free" : null;
      return {
        value,
        replies,
        note: `the balance ${value === "free" ? "stays" : "changes"} after a priced call`,
      };
    },
  },
} satisfies Partial<Probes>;

const isCheckAnswered = (reply: ServiceReply): boolean =>
  isSuccess(reply) && valueIn(reply, "verified") === false;
const isCodePending = (reply: ServiceReply): boolean =>
  isCheckAnswered(reply) && valueIn(reply, "status") === "pending";

/** Sends wrong codes until the verification is locked, and one more. Returns the replies. */
const lockedPhone = (side: DriftSide): Promise<ServiceReply[]> =>
  side.once("locked phone", async () => {
    const id = idIn(await startedPhone(side));
    const replies: ServiceReply[] = [];
    for (const code of wrongCodes) {
      const reply = await side.service.call("checkPhoneVerification", { body: { id, code } });
      if (valueIn(reply, "verified") === true) throw new CouldNotCheck("a guessed code was the right one");
      const wasLocked = replies.length > 0 && !isCodePending(replies.at(-1) as ServiceReply);
      replies.push(reply);
      if (wasLocked || !isCheckAnswered(reply)) break;
    }
    return replies;
  });

/** Starts a verification and reads its code. Returns a check of it. */
async function startWithCode(side: DriftSide): Promise<() => Promise<ServiceReply>> {
  const readCode = readerOfCodes(side);
  const id = idIn(await startPhone(side));
  const code = await readCode({ id, to: side.phone });
  return () => side.service.call("checkPhoneVerification", { body: { id, code } });
}

const locking = { group: "phone", calls: 1 + wrongCodes.length, charges: oneCode } as const;

/** Probes of phone verifications. */
const phoneProbes = {
  "phone.states": {
    ...locking,
    async observe(side) {
      const locked = (await lockedPhone(side)).find(
        (reply) => isCheckAnswered(reply) && !isCodePending(reply),
      );
      if (!locked)
        throw new CouldNotCheck("no reply has the status of a verification that wrong codes have locked");
      const status = valueIn(locked, "status");
      // Another probe may have ended the verification before it was locked: assumption phone.second_code.
      const isNamed = status === "max_attempts_reached" || status === "expired";
      const value = isNamed ? "named" : status === "failed" ? "failed" : null;
      return { value, replies: [locked], ...(value === null && { note: "the status has another name" }) };
    },
  },

  "phone.ended": {
    ...locking,
    async observe(side) {
      const replies = (await lockedPhone(side)).slice(-2);
      const [before, last] = [replies.at(-2), replies.at(-1) as ServiceReply];
      if (last.status === 429 || last.status === 410) return { value: "refused", replies };
      if (isCodePending(last))
        return { value: null, replies, note: `not locked after ${wrongCodes.length} wrong codes` };
      const isLocked = before !== undefined && !isCodePending(before);
      return { value: isCheckAnswered(last) && isLocked ? "answered" : null, replies };
    },
  },

  "phone.code_reuse": {
    group: "phone",
    calls: 3,
    charges: oneCode,
    async observe(side) {
      const check = await startWithCode(side);
      const first = await check();
      if (valueIn(first, "verified") !== true)
        throw new CouldNotCheck("the service does not accept the code that --otp-cmd printed");
      const second = await check();
      const again = isSuccess(second) ? valueIn(second, "verified") : undefined;
      const value = again === true ? "again" : again === false ? "once" : null;
      return {
        value,
        replies: [first, second],
        note: `the second check has verified=${String(again)}`,
      };
    },
  },

  "phone.second_code": {
    group: "phone",
    calls: 3,
    charges: { phone_code: 2 },
    async observe(side) {
      const check = await startWithCode(side);
      const second = await startPhone(side);
      if (!isSuccess(second)) throw new CouldNotCheck("the service does not send a second code");
      const checked = await check();
      const isVerified = valueIn(checked, "verified") === true;
      const isEnded = isSuccess(checked) || checked.status === 410;
      const value = isVerified ? "both" : isEnded ? "replaced" : null;
      return {
        value,
        replies: [second, checked],
        note: `the first code has verified=${isVerified}`,
      };
    },
  },
} satisfies Partial<Probes>;

/** Looks up an account at a bank. */
const lookUp =
  (bank_code: string, account_number: string) =>
  ({ service }: DriftSide) =>
    service.call("verifyBankAccount", { body: { bank_code, account_number } });

/** Fields that the interface marks "where present" and that the entries of lookups do not mention. */
const markedFields = ["cost", "currency", "is_test", "created_at"];

const nowhere = { address: "1 Zzqx Qzzv, Xqqz", full_name: "Standin Drift", country: "NG" };

const lookup = { group: "identity", calls: 1, charges: { bank_account: 1 } } as const;

/** Probes of lookups and of addresses that are not found. */
const identityProbes = {
  /** No account at this bank has this number: its check digit is wrong there. */
  "lookup.not_found": ofReply(lookup, lookUp("033", "0143728169"), (reply) => {
    if (reply.status === 404) return { value: "refused" };
    if (isSuccess(reply) && valueIn(reply, "match") === true)
      throw new NotTestable(
        "the service finds an account whose check digit is wrong, so no number is unknown to it",
      );
    const isResult = isSuccess(reply) && valueIn(reply, "status") === "not_found";
    return { value: isResult ? "result" : null };
  }),

  "verification.reply_fields": ofReply(lookup, lookUp("058", "0143728169"), (reply) => {
    if (!isSuccess(reply)) throw new NotTestable("the service refuses to look up an account");
    const found = markedFields.filter((name) => valueIn(reply, name) !== undefined);
    const value = found.length === 0 ? "mentioned" : found.length === markedFields.length ? "all" : null;
    return { value, note: `fields in addition: ${found.join(", ") || "none"}` };
  }),

  /** No bank has this code. A number that is not found was looked up, so its bank was accepted. */
  banks: ofReply(lookup, lookUp("999", "0712345678"), (reply) => ({
    value: isSuccess(reply) || reply.status === 404 ? "named" : isRefusal(reply) ? "refused" : null,
  })),

  "address.unknown_position": ofReply(
    { group: "identity", calls: 1, charges: { address: 1 } },
    ({ service, reference }) =>
      service.call("verifyAddress", { body: { ...nowhere, radius_m: 200, reference: reference() } }),
    (reply) => {
      const latitude = valueIn(reply, "address", "latitude");
      const value = latitude === null ? "null" : typeof latitude === "number" ? "numbers" : null;
      return { value, note: `the latitude is ${String(latitude)}` };
    },
  ),
} satisfies Partial<Probes>;

/** The interface limits pictures of this operation to 15 MB. */
const removeBackground = (
  { service }: DriftSide,
  picture: Uint8Array<ArrayBuffer>[],
): Promise<ServiceReply> =>
  service.call("removeBackground", {
    files: { file: new File(picture, "standin-drift.png", { type: "image/png" }) },
  });

/** Sends a picture of this size. */
const upload = (side: DriftSide, bytes: number): Promise<ServiceReply> =>
  removeBackground(side, [pixel, new Uint8Array(bytes - pixel.length)]);

/** File sizes just over the limit: in both MiB and MB, and in MB alone. */
const oversizeBytes = 15 * 1024 * 1024 + 1024;
const betweenUnitsBytes = 15_360_000;

/** A PNG of squares in five colours, in which nothing stands out. */
const squares = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAMAAABg3Am1AAAAD1BMVEXo4NA/XTonM03ZoFuMOyoeBPbNAAAACXBIWXMAAAPoAAAD" +
    "6AG1e1JrAAAAgElEQVRIx82VUQqAMAxDO+f9z2wzGgnitJ/JTyXpEyQU40yN1JGaqUh9eWEIwEAwSgiixIz5ygwBPCBYH5TixBIn" +
    "Fjkdgb+inp4joKXwDbP0WqghoKVgiXNXqCPQOXz1HIHO4WuhjkDn8LVQR6D7I7k9Q6B1+FKoI9A5fC3UELgA0m8RsaMemBEAAAAA" +
    "SUVORK5CYII=",
  "base64",
);

/** A name below .test never exists (RFC 6761). */
const missingSite = { url: "https://deepfail.test", tier: "deep" };

/** A deep audit is expensive, so it is only started if the run can wait for its end. */
const minAuditWaitMs = 5 * minute;
const auditPolls = { intervalMs: 30 * second, max: 21 };

/** Probes of the units of upload limits, of pictures without a plain background, and of deep audits that fail. */
const toolProbes = {
  "uploads.megabyte": {
    group: "tools",
    calls: 2,
    async observe(side) {
      const over = await upload(side, oversizeBytes);
      if (!isRefusal(over)) return { value: null, replies: [over], note: "a file over 15 MB is not refused" };
      const reply = await upload(side, betweenUnitsBytes);
      return { value: reply.status === over.status ? "decimal" : "binary", replies: [over, reply] };
    },
  },

  "files.background": ofReply(
    { group: "tools", calls: 1 },
    (side) => removeBackground(side, [squares]),
    byAnswer({ taken: "noted", refused: "refused" }),
  ),

  "audits.failed": {
    group: "audits",
    calls: 1 + auditPolls.max,
    charges: { audit_deep: 1 },
    minWaitMs: minAuditWaitMs,
    async observe(side) {
      const { service, waitMs } = side;
      if (waitMs < minAuditWaitMs)
        throw new NotTestable("a deep audit takes minutes; pass --wait 5m or more");
      const started = await service.call("createAudit", { body: missingSite });
      if (isRefusal(started))
        throw new NotTestable("the service refuses to audit a site that does not exist");
      const id = idIn(started);
      const { intervalMs, max } = auditPolls;
      const waiting = { waitMs: Math.min(waitMs, (max - 1) * intervalMs), intervalMs };
      const ended = await poll(side, waiting, async () => {
        const reply = await service.call("getAudit", { params: { id } });
        return valueIn(reply, "status") === "pending" ? null : reply;
      });
      if (!ended) throw new CouldNotCheck("the audit is still pending after the wait; pass a longer --wait");
      if (valueIn(ended, "status") !== "failed")
        throw new NotTestable("the service completes the audit of a site that does not exist, so none fails");
      const cost = valueIn(ended, "cost");
      const value = cost === 0 ? "refunded" : typeof cost === "number" && cost > 0 ? "billed" : null;
      return { value, replies: [started, ended], note: `the failed audit costs ${String(cost)}` };
    },
  },
} satisfies Partial<Probes>;

const answerPolls = { intervalMs: 2 * second, max: 16 };

const isQuestionAnswered = (reply: ServiceReply): boolean =>
  valueIn(reply, "status") !== "pending" || Number(valueIn(reply, "attempts")) > 0;

/** A number that has exchanged messages with no test. */
const silentNumber = "2348199900917";

/** Probes of the answers to identity questions, and of messages to people who have not written. */
const channelProbes = {
  "channels.closed_window": ofReply(
    { group: "channels", calls: 2 },
    async (side) =>
      side.service.call("sendChannelMessage", {
        params: { channel_id: await connectedChannel(side) },
        body: { to: silentNumber, text: "Standin drift" },
      }),
    (sent) => {
      const isUnsent = isSuccess(sent) && valueIn(sent, "sent") === 0;
      return { value: isUnsent ? "answered" : isRefusal(sent) ? "refused" : null };
    },
  ),

  /** The expected answer has a diacritic, and the person answers without it. */
  "identity.defaults": {
    group: "channels",
    calls: 2 + answerPolls.max,
    async observe(side) {
      const { service, phone, answer, waitMs } = side;
      if (!answer) throw new NotTestable("needs an answer of a person; pass --reply-cmd");
      const channel_id = await connectedChannel(side);
      const to = phone.replace("+", "");
      const body = { to, question: "What is your first name?", expected: "Adé", max_attempts: 2 };
      const started = await service.call("startIdentityCheck", { params: { channel_id }, body });
      const verification_id = idIn(started);
      await answer({ channel: channel_id, from: to, text: "Ade" });
      const { intervalMs, max } = answerPolls;
      const waiting = { waitMs: Math.min(waitMs, (max - 1) * intervalMs), intervalMs };
      const counted = await poll(side, waiting, async () => {
        const reply = await service.call("getIdentityCheck", { params: { channel_id, verification_id } });
        return isQuestionAnswered(reply) ? reply : null;
      });
      if (!counted)
        throw new CouldNotCheck("the answer that --reply-cmd sent has not arrived; pass a longer --wait");
      const status = valueIn(counted, "status");
      const value = status === "verified" ? "folded" : status === "pending" ? "diacritics_count" : null;
      return {
        value,
        replies: [started, counted],
        note: `the answer without its accent leaves it ${String(status)}`,
      };
    },
  },
} satisfies Partial<Probes>;

/** Probes of references that are used twice, and of refunds that the balance cannot pay. */
const businessProbes = {
  "business.reference_reuse": {
    group: "business",
    calls: callsToCreateAccount + 1,
    async observe(side) {
      const reference = side.reference();
      const first = await requestVirtualAccount(side, reference);
      const second = await postVirtualAccount(side, reference);
      const replies = [first, second];
      if (!isSuccess(first)) return { value: null, replies, note: "no virtual account could be created" };
      if (second.status === 409) return { value: "conflict", replies };
      const isSame = isSuccess(second) && valueIn(second, "id") === valueIn(first, "id");
      return { value: isSame ? "returned" : null, replies };
    },
  },

  /** A refund of a payment that brought more than the whole balance, so that its money has been paid out. */
  "business.refund_balance": ofReply(
    { group: "business", calls: 3 },
    async ({ service }) => {
      const balance = valueIn(await service.call("getBusinessOverview"), "balance");
      const payments = listIn(
        await service.call("listPayments", { query: { status: "success" } }),
        "payments",
      );
      const paidOut = payments.find(({ net }) => Number(net) > Number(balance));
      if (!paidOut)
        throw new NotTestable(
          "needs a payment whose money has been paid out; pay out the balance of the account",
        );
      const body = { payment_id: paidOut.id, reason: "Standin drift" };
      return service.call("createRefund", { body });
    },
    byAnswer({ taken: "negative", refused: "refused" }),
  ),
} satisfies Partial<Probes>;

export const probes: Probes = {
  ...generalProbes,
  ...phoneProbes,
  ...identityProbes,
  ...toolProbes,
  ...channelProbes,
  ...businessProbes,
  ...webhookProbes,
};
