import { refuse } from "../../contract/errors.js";
import { toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { requireRecord } from "../account-records.js";
import { type AddressCheckRecord, addressCheck } from "./machine.js";

/** Returns the check with this id if it still accepts evidence. Refuses an unknown, verified or expired check. */
export function requireOpenCheck(account: Account, id: string): AddressCheckRecord {
  const hint = "use the id returned by POST /v1/verify/address";
  const check = requireRecord(account, addressCheck, { id, param: "id", noun: "address check", hint });
  if (check.state === "verified") {
    refuse("invalid_state", {
      param: "id",
      message: `${id} is already verified and accepts no more evidence.`,
    });
  }
  if (account.clock.now() >= check.expires_at) {
    const message = `The check expired at ${toIso(check.expires_at)}; start a new one with POST /v1/verify/address.`;
    refuse("link_expired", { param: "id", message });
  }
  return check;
}
