/** Probes of lookups and of addresses that are not found. */
import type { Assumptions } from "../../service/assumptions.js";
import { isRefusal, isSuccess, NotTestable, valueIn } from "../service-client.js";
import type { Probe } from "./probe.js";

/** No account at this bank has this number: its check digit is wrong there. */
const missingAccount = { bank_code: "033", account_number: "0143728169" };

export const lookupNotFound: Probe<Assumptions["lookup.not_found"]> = {
  group: "identity",
  calls: 1,
  charges: { bank_account: 1 },
  async observe({ service }) {
    const reply = await service.call("verifyBankAccount", { body: missingAccount });
    if (reply.status === 404) return { value: "refused", replies: [reply] };
    if (isSuccess(reply) && valueIn(reply, "match") === true)
      throw new NotTestable(
        "the service finds an account whose check digit is wrong, so no number is unknown to it",
      );
    const isResult = isSuccess(reply) && valueIn(reply, "status") === "not_found";
    return { value: isResult ? "result" : null, replies: [reply] };
  },
};

/** Fields that the interface marks "where present" and that the entries of lookups do not mention. */
const markedFields = ["cost", "currency", "is_test", "created_at"];

export const replyFields: Probe<Assumptions["verification.reply_fields"]> = {
  group: "identity",
  calls: 1,
  charges: { bank_account: 1 },
  async observe({ service }) {
    const reply = await service.call("verifyBankAccount", {
      body: { bank_code: "058", account_number: "0143728169" },
    });
    if (!isSuccess(reply)) throw new NotTestable("the service refuses to look up an account");
    const found = markedFields.filter((name) => valueIn(reply, name) !== undefined);
    const value = found.length === 0 ? "mentioned" : found.length === markedFields.length ? "all" : null;
    return { value, replies: [reply], note: `fields in addition: ${found.join(", ") || "none"}` };
  },
};

/** No bank has this code. */
const unknownBank = { bank_code: "999", account_number: "0712345678" };

export const bankCodes: Probe<Assumptions["banks"]> = {
  group: "identity",
  calls: 1,
  charges: { bank_account: 1 },
  async observe({ service }) {
    const reply = await service.call("verifyBankAccount", { body: unknownBank });
    // A number that is not found was looked up, so its bank was accepted.
    const isAccepted = isSuccess(reply) || reply.status === 404;
    return { value: isAccepted ? "named" : isRefusal(reply) ? "refused" : null, replies: [reply] };
  },
};

const nowhere = { address: "1 Zzqx Qzzv, Xqqz", full_name: "Standin Drift", country: "NG" };

export const unknownPosition: Probe<Assumptions["address.unknown_position"]> = {
  group: "identity",
  calls: 1,
  charges: { address: 1 },
  async observe({ service, reference }) {
    const body = { ...nowhere, radius_m: 200, reference: reference() };
    const reply = await service.call("verifyAddress", { body });
    const latitude = valueIn(reply, "address", "latitude");
    const value = latitude === null ? "null" : typeof latitude === "number" ? "numbers" : null;
    return { value, replies: [reply], note: `the latitude is ${String(latitude)}` };
  },
};
