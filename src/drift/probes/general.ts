/** Probes of what holds for every operation: errors, statuses and unknown fields. */
import type { Assumptions } from "../../service/assumptions.js";
import { isRefusal, isSuccess, type ServiceReply, valueIn } from "../service-client.js";
import { unpayableAmount } from "./business.js";
import { startedPhone } from "./phone.js";
import type { Probe, ProbeContext, ProbeObservation } from "./probe.js";

/** A request whose phone number is not one, which every service refuses in validation. */
const refusedPhone = ({ service, once }: ProbeContext): Promise<ServiceReply> =>
  once("refused phone", () => service.call("startPhoneVerification", { body: { phone: "12" } }));

export const errorsBody: Probe<Assumptions["errors.body"]> = {
  group: "general",
  calls: 1,
  async observe(context) {
    const reply = await refusedPhone(context);
    const has = (...path: string[]) => typeof valueIn(reply, ...path) === "string";
    const isProblem = reply.mediaType === "application/problem+json" && has("type") && has("title");
    const isFlat = has("code") && has("message") && valueIn(reply, "error") === undefined;
    const isEnvelope = has("error", "code") && has("error", "message");
    const value = isProblem ? "problem" : isFlat ? "flat" : isEnvelope ? "envelope" : null;
    return { value, replies: [reply], note: `${reply.mediaType || "no content type"}` };
  },
};

export const validationStatus: Probe<Assumptions["errors.validation_status"]> = {
  group: "general",
  calls: 1,
  async observe(context) {
    const reply = await refusedPhone(context);
    const value = reply.status === 400 ? "400" : reply.status === 422 ? "422" : null;
    return { value, replies: [reply] };
  },
};

/** A payout that the account cannot pay: a well-formed request that its state does not allow. */
export const otherStatuses: Probe<Assumptions["errors.other_statuses"]> = {
  group: "general",
  calls: 2,
  async observe({ service }) {
    const body = { amount: await unpayableAmount({ service }) };
    const reply = await service.call("createPayout", { body });
    const value = reply.status === 422 ? "422" : reply.status === 400 ? "400" : null;
    return { value, replies: [reply] };
  },
};

export const httpCreated: Probe<Assumptions["http.created"]> = {
  group: "general",
  calls: 1,
  charges: { phone_code: 1 },
  async observe(context) {
    const reply = await startedPhone(context);
    const value = reply.status === 201 ? "created" : reply.status === 200 ? "ok" : null;
    return { value, replies: [reply] };
  },
};

export const fieldsNull: Probe<Assumptions["fields.null"]> = {
  group: "general",
  calls: 1,
  charges: { phone_code: 1 },
  async observe({ service, phone }) {
    const reply = await service.call("startPhoneVerification", { body: { phone, reference: null } });
    const value = isSuccess(reply) ? "omitted" : isRefusal(reply) ? "refused" : null;
    return { value, replies: [reply] };
  },
};

const logo = {
  company_name: "Standin Drift",
  style: "monogram",
  primary_color: "#0F766E",
  secondary_color: "#FFFFFF",
  size: 64,
};
const unknown = { standin_drift: "1" };

export const fieldsUnmarked: Probe<Assumptions["fields.unmarked"]> = {
  group: "general",
  calls: 3,
  async observe({ service }): Promise<ProbeObservation<Assumptions["fields.unmarked"]>> {
    const inQuery = await service.call("getBalance", { query: unknown });
    const inBody = await service.call("generateLogo", { body: { ...logo, ...unknown } });
    const replies = [inQuery, inBody];
    if (replies.every(isSuccess)) return { value: "ignored", replies };
    if (!replies.every(isRefusal)) return { value: null, replies };
    // The refusals are about the unknown field if the same request without it succeeds.
    const known = await service.call("generateLogo", { body: logo });
    return { value: isSuccess(known) ? "refused" : null, replies: [...replies, known] };
  },
};

export const chargingTestKeys: Probe<Assumptions["charging.test_keys"]> = {
  group: "general",
  calls: 3,
  charges: { phone_code: 1 },
  async observe({ service, phone }) {
    const balance = async () => {
      const reply = await service.call("getBalance");
      return { reply, naira: valueIn(reply, "balance") };
    };
    const before = await balance();
    const priced = await service.call("startPhoneVerification", { body: { phone } });
    const after = await balance();
    const replies = [before.reply, priced, after.reply];
    if (!replies.every(isSuccess) || typeof before.naira !== "number" || typeof after.naira !== "number")
      return { value: null, replies };
    const value = after.naira < before.naira ? "debited" : after.naira === before.naira ? "free" : null;
    return {
      value,
      replies,
      note: `the balance ${value === "free" ? "stays" : "changes"} after a priced call`,
    };
  },
};
