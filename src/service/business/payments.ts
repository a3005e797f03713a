/** The business certificate: once it is verified, what the receive limit held is released. */
import type { Account } from "../../world/account.js";
import { payment } from "./machines/payment.js";

/** Inside a commit: oldest payment first. */
export function releaseLimitHolds(account: Account): void {
  const held = [...account.records.newest(payment, '"state":"held"')].reverse();
  for (const record of held) {
    if (record.state === "held" && record.holds.includes("limit"))
      account.records.move(payment, record, "release");
  }
}
