/** Probes of what holds for every operation: errors, statuses and unknown fields. */
import { unpayableAmount } from "../records.js";
import { isRefusal, isSuccess, type ServiceReply, valueIn } from "../service-client.js";
import type { DriftSide } from "../side.js";
import { startedPhone } from "./phone.js";
import { byAnswer, byStatus, ofReply, type Probes } from "./probe.js";

/** Sends a request with an invalid phone number, which every service refuses. */
const refusedPhone = ({ service, once }: DriftSide): Promise<ServiceReply> =>
  once("refused phone", () => service.call("startPhoneVerification", { body: { phone: "12" } }));

const group = "general";
const charges = { phone_code: 1 };

const logo = {
  company_name: "Standin Drift",
  style: "monogram",
  primary_color: "#0F766E",
  secondary_color: "#FFFFFF",
  size: 64,
};
const unknown = { standin_drift: "1" };

export const generalProbes = {
  "errors.body": ofReply({ group, calls: 1 }, refusedPhone, (reply) => {
    const has = (...path: string[]) => typeof valueIn(reply, ...path) === "string";
    const isProblem = reply.mediaType === "application/problem+json" && has("type") && has("title");
    const isFlat = has("code") && has("message") && valueIn(reply, "error") === undefined;
    const isEnvelope = has("error", "code") && has("error", "message");
    const value = isProblem ? "problem" : isFlat ? "flat" : isEnvelope ? "envelope" : null;
    return { value, note: `${reply.mediaType || "no content type"}` };
  }),

  "errors.validation_status": ofReply(
    { group, calls: 1 },
    refusedPhone,
    byStatus({ 400: "400", 422: "422" }),
  ),

  /** A payout that the account cannot pay: a well-formed request that its state does not allow. */
  "errors.other_statuses": ofReply(
    { group, calls: 2 },
    async (side) => side.service.call("createPayout", { body: { amount: await unpayableAmount(side) } }),
    byStatus({ 400: "400", 422: "422" }),
  ),

  "http.created": ofReply(
    { group, calls: 1, charges },
    startedPhone,
    byStatus({ 200: "ok", 201: "created" }),
  ),

  "fields.unmarked": {
    group,
    calls: 3,
    async observe({ service }) {
      const inQuery = await service.call("getBalance", { query: unknown });
      const inBody = await service.call("generateLogo", { body: { ...logo, ...unknown } });
      const replies = [inQuery, inBody];
      if (replies.every(isSuccess)) return { value: "ignored", replies };
      if (!replies.every(isRefusal)) return { value: null, replies };
      // The refusals are about the unknown field if the same request without it succeeds.
      const known = await service.call("generateLogo", { body: logo });
      return { value: isSuccess(known) ? "refused" : null, replies: [...replies, known] };
    },
  },

  "fields.null": ofReply(
    { group, calls: 1, charges },
    ({ service, phone }) => service.call("startPhoneVerification", { body: { phone, reference: null } }),
    byAnswer({ taken: "omitted", refused: "refused" }),
  ),

  "charging.test_keys": {
    group,
    calls: 3,
    charges,
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
