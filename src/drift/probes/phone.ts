/** Probes of phone verifications. */
import type { Assumptions } from "../../service/assumptions.js";
import { CouldNotCheck, isSuccess, readerOfCodes, type ServiceReply, valueIn } from "../service-client.js";
import type { Probe, ProbeContext } from "./probe.js";

const start = ({ service, phone, reference }: ProbeContext): Promise<ServiceReply> =>
  service.call("startPhoneVerification", { body: { phone, reference: reference() } });

/** A verification that several probes use. */
export const startedPhone = (context: ProbeContext): Promise<ServiceReply> =>
  context.once("started phone", () => start(context));

export function idIn(reply: ServiceReply): string {
  const id = valueIn(reply, "id");
  if (typeof id !== "string") throw new CouldNotCheck(`the reply to ${reply.operation.route} has no id`);
  return id;
}

/** More than the attempts of any documented code. */
const maxWrongCodes = 8;
export const wrongCodes = Array.from({ length: maxWrongCodes }, (_, index) =>
  String(100_917 + index * 98_765),
);

const isAnswered = (reply: ServiceReply): boolean => isSuccess(reply) && valueIn(reply, "verified") === false;
const isPending = (reply: ServiceReply): boolean =>
  isAnswered(reply) && valueIn(reply, "status") === "pending";

/** Sends wrong codes until the verification is locked, and one more. Returns the replies. */
const lockedPhone = (context: ProbeContext): Promise<ServiceReply[]> =>
  context.once("locked phone", async () => {
    const id = idIn(await startedPhone(context));
    const replies: ServiceReply[] = [];
    for (const code of wrongCodes) {
      const reply = await context.service.call("checkPhoneVerification", { body: { id, code } });
      if (valueIn(reply, "verified") === true) throw new CouldNotCheck("a guessed code was the right one");
      const wasLocked = replies.length > 0 && !isPending(replies.at(-1) as ServiceReply);
      replies.push(reply);
      if (wasLocked || !isAnswered(reply)) break;
    }
    return replies;
  });

const locking = { group: "phone", calls: 1 + maxWrongCodes, charges: { phone_code: 1 } } as const;

export const phoneEnded: Probe<Assumptions["phone.ended"]> = {
  ...locking,
  async observe(context) {
    const replies = (await lockedPhone(context)).slice(-2);
    const [before, last] = [replies.at(-2), replies.at(-1) as ServiceReply];
    if (last.status === 429 || last.status === 410) return { value: "refused", replies };
    if (isPending(last))
      return { value: null, replies, note: `not locked after ${maxWrongCodes} wrong codes` };
    const isLocked = before !== undefined && !isPending(before);
    return { value: isAnswered(last) && isLocked ? "answered" : null, replies };
  },
};

export const phoneStates: Probe<Assumptions["phone.states"]> = {
  ...locking,
  async observe(context) {
    const locked = (await lockedPhone(context)).find((reply) => isAnswered(reply) && !isPending(reply));
    if (!locked)
      throw new CouldNotCheck("no reply has the status of a verification that wrong codes have locked");
    const status = valueIn(locked, "status");
    // Another probe may have ended the verification before it was locked: assumption phone.second_code.
    const isNamed = status === "max_attempts_reached" || status === "expired";
    const value = isNamed ? "named" : status === "failed" ? "failed" : null;
    return { value, replies: [locked], ...(value === null && { note: "the status has another name" }) };
  },
};

export const phoneCodeReuse: Probe<Assumptions["phone.code_reuse"]> = {
  group: "phone",
  calls: 3,
  charges: { phone_code: 1 },
  async observe(context) {
    const { service, phone } = context;
    const readCode = readerOfCodes(context);
    const id = idIn(await start(context));
    const code = await readCode({ id, to: phone });
    const check = () => service.call("checkPhoneVerification", { body: { id, code } });
    const first = await check();
    if (valueIn(first, "verified") !== true)
      throw new CouldNotCheck("the service does not accept the code that --otp-cmd printed");
    const second = await check();
    const again = isSuccess(second) ? valueIn(second, "verified") : undefined;
    const value = again === true ? "again" : again === false ? "once" : null;
    return { value, replies: [first, second], note: `the second check has verified=${String(again)}` };
  },
};

export const phoneSecondCode: Probe<Assumptions["phone.second_code"]> = {
  group: "phone",
  calls: 3,
  charges: { phone_code: 2 },
  async observe(context) {
    const { service, phone } = context;
    const readCode = readerOfCodes(context);
    const id = idIn(await start(context));
    const code = await readCode({ id, to: phone });
    const second = await start(context);
    if (!isSuccess(second)) throw new CouldNotCheck("the service does not send a second code");
    const checked = await service.call("checkPhoneVerification", { body: { id, code } });
    const isVerified = valueIn(checked, "verified") === true;
    const isEnded = isSuccess(checked) || checked.status === 410;
    const value = isVerified ? "both" : isEnded ? "replaced" : null;
    return { value, replies: [second, checked], note: `the first code has verified=${isVerified}` };
  },
};
