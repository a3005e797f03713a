import type { ConductRule } from "../rule.js";
import type { ClientCall } from "../traffic.js";

/** Operations that move money or open something that costs money, and those that show whether they took effect. */
export const lookFirst: Readonly<Record<string, readonly string[]>> = {
  createPayout: ["listBusinessEvents", "getBusinessOverview"],
  createRefund: ["listBusinessEvents", "listPayments", "getBusinessOverview"],
  createCharge: ["listPayments", "listBusinessEvents"],
  createVirtualAccount: ["listVirtualAccounts", "listBusinessEvents"],
};

const held = /hold=reply/;
const lost = /reply=(?:reset_after|reset_during|timeout_after|truncated|malformed)/;

/**
 * Returns whether the request took effect and the client cannot know it: its reply was lost, or was held and released as an
 * error that it was not.
 */
function isLost({ entry: { status, error_code, asked_fault } }: ClientCall): boolean {
  if (status === null || error_code !== null) return false;
  return status < 300 ? lost.test(asked_fault ?? "") : status >= 500 && held.test(asked_fault ?? "");
}

const describeLoss = ({ entry: { status, asked_fault } }: ClientCall): string =>
  Number(status) >= 500 ? `Its reply was held and sent as ${status}` : `Its reply was lost (${asked_fault})`;

export const repeatedAfterUnknown: ConductRule = {
  id: "repeated-after-unknown",
  title: "A request that moves money is repeated after its reply was lost",
  reason: "The first one had taken effect: the money was moved twice.",
  right: "After a lost or broken reply, read what has happened first, and repeat only what has not.",
  judge: ({ calls }) =>
    calls.flatMap((call, index) => {
      const looks = lookFirst[call.operation];
      if (!looks || !isLost(call)) return [];
      const later = calls.slice(index + 1);
      const next = later.findIndex((other) => other.repeats(call));
      const again = later[next];
      if (!again || (again.status ?? 500) >= 300) return [];
      if (later.slice(0, next).some(({ operation }) => looks.includes(operation))) return [];
      const happened = `${describeLoss(call)}, and the same request took effect again without a look at ${looks[0]}.`;
      return [{ about: call.operation, happened, evidence: [call.id, again.id] }];
    }),
};
