/** Probes of phone verifications. */
import { wrongCodes } from "../records.js";
import { CouldNotCheck, isSuccess, type ServiceReply, valueIn } from "../service-client.js";
import { type DriftSide, idIn, readerOfCodes } from "../side.js";
import type { Probes } from "./probe.js";

const start = ({ service, phone, reference }: DriftSide): Promise<ServiceReply> =>
  service.call("startPhoneVerification", { body: { phone, reference: reference() } });

/** A verification that several probes use. */
export const startedPhone = (side: DriftSide): Promise<ServiceReply> =>
  side.once("started phone", () => start(side));

const isAnswered = (reply: ServiceReply): boolean => isSuccess(reply) && valueIn(reply, "verified") === false;
const isPending = (reply: ServiceReply): boolean =>
  isAnswered(reply) && valueIn(reply, "status") === "pending";

/** Sends wrong codes until the verification is locked, and one more. Returns the replies. */
const lockedPhone = (side: DriftSide): Promise<ServiceReply[]> =>
  side.once("locked phone", async () => {
    const id = idIn(await startedPhone(side));
    const replies: ServiceReply[] = [];
    for (const code of wrongCodes) {
      const reply = await side.service.call("checkPhoneVerification", { body: { id, code } });
      if (valueIn(reply, "verified") === true) throw new CouldNotCheck("a guessed code was the right one");
      const wasLocked = replies.length > 0 && !isPending(replies.at(-1) as ServiceReply);
      replies.push(reply);
      if (wasLocked || !isAnswered(reply)) break;
    }
    return replies;
  });

/** Starts a verification and reads its code. Returns a check of it. */
async function startWithCode(side: DriftSide): Promise<() => Promise<ServiceReply>> {
  const readCode = readerOfCodes(side);
  const id = idIn(await start(side));
  const code = await readCode({ id, to: side.phone });
  return () => side.service.call("checkPhoneVerification", { body: { id, code } });
}

const group = "phone";
const locking = { group, calls: 1 + wrongCodes.length, charges: { phone_code: 1 } } as const;

export const phoneProbes = {
  "phone.states": {
    ...locking,
    async observe(side) {
      const locked = (await lockedPhone(side)).find((reply) => isAnswered(reply) && !isPending(reply));
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
      if (isPending(last))
        return { value: null, replies, note: `not locked after ${wrongCodes.length} wrong codes` };
      const isLocked = before !== undefined && !isPending(before);
      return { value: isAnswered(last) && isLocked ? "answered" : null, replies };
    },
  },

  "phone.code_reuse": {
    group,
    calls: 3,
    charges: { phone_code: 1 },
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
    group,
    calls: 3,
    charges: { phone_code: 2 },
    async observe(side) {
      const check = await startWithCode(side);
      const second = await start(side);
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
