import type { ConductRule } from "../rule.js";
import type { ClientCall } from "../traffic.js";

/** Statuses, reasons and error codes after which no code of the same id can be right. */
const ended: readonly unknown[] = [
  "expired",
  "max_attempts_reached",
  "failed",
  "too_many_attempts",
  "code_expired",
];

/** Returns the subject of a check: the verification, or the person on a channel. Null for a request without one. */
function subjectOf({ operation, body: { id, to }, entry }: ClientCall): string | null {
  if (operation === "checkPhoneVerification") return typeof id === "string" ? `phone ${id}` : null;
  if (operation !== "checkChannelCode" || typeof to !== "string") return null;
  return `${entry.path.replace(/\/verify$/, "")} ${to}`;
}

/** Returns the subject of a new code, by the same names. A new SMS has a new id. */
const renewedBy = ({ operation, body: { to }, entry }: ClientCall): string | null =>
  operation === "sendChannelCode" && typeof to === "string" ? `${entry.path} ${to}` : null;

const hasEnded = ({ reply, entry }: ClientCall): boolean =>
  [reply.status, reply.reason, entry.error_code].some((word) => ended.includes(word));

export const staleCode: ConductRule = {
  id: "stale-code",
  title: "A code is checked although the service has said that no code is right any more",
  reason: "The person types code after code, and none can be right: the code has expired or is locked.",
  right: "After expired or too many attempts, offer to send a new code, and check that one.",
  judge({ calls }) {
    const endedBy = new Map<string, ClientCall>();
    return calls.flatMap((call) => {
      const renewed = renewedBy(call);
      if (renewed !== null) endedBy.delete(renewed);
      const subject = subjectOf(call);
      if (subject === null) return [];
      const before = endedBy.get(subject);
      if (hasEnded(call)) endedBy.set(subject, before ?? call);
      if (!before) return [];
      const happened =
        "Another code was checked after the service had said that the code is expired or locked.";
      return [{ about: call.operation, happened, evidence: [before.id, call.id] }];
    });
  },
};
