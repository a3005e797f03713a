/** Probes of lookups and of addresses that are not found. */
import { isRefusal, isSuccess, NotTestable, valueIn } from "../service-client.js";
import type { DriftSide } from "../side.js";
import { ofReply, type Probes } from "./probe.js";

/** Looks up an account at a bank. */
const lookUp =
  (bank_code: string, account_number: string) =>
  ({ service }: DriftSide) =>
    service.call("verifyBankAccount", { body: { bank_code, account_number } });

/** Fields that the interface marks "where present" and that the entries of lookups do not mention. */
const markedFields = ["cost", "currency", "is_test", "created_at"];

const nowhere = { address: "1 Zzqx Qzzv, Xqqz", full_name: "Standin Drift", country: "NG" };

const lookup = { group: "identity", calls: 1, charges: { bank_account: 1 } } as const;

export const identityProbes = {
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
