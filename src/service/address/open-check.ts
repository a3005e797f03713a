import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import type { Stored } from "../../world/machine.js";
import { toIso } from "../../world/time/time.js";
import { neededRecord } from "../account-records.js";
import { type AddressCheckFields, addressCheck } from "./machine.js";

/** The check of this id that still takes a location or a document; refuses with what is in the way. */
export function openCheck(account: Account, id: string): Stored<AddressCheckFields> {
  const hint = "use the id that POST /v1/verify/address answered with";
  const check = neededRecord(account, addressCheck, { id, param: "id", what: "address check", hint });
  if (check.state === "verified") {
    refuse("invalid_state", { param: "id", message: `${id} is verified already; nothing more is taken.` });
  }
  if (account.clock.now() >= check.expires_at) {
    const message = `The check expired at ${toIso(check.expires_at)}; start another with POST /v1/verify/address.`;
    refuse("link_expired", { param: "id", message });
  }
  return check;
}
