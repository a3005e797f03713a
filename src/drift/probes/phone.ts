/** Probes of phone verifications. */
import type { Assumptions } from "../../contract/assumptions.js";
import { CouldNotCheck, NotTestable } from "../outcome.js";
import { isSuccess, type ServiceReply, valueIn } from "../service-client.js";
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

/** Sends wrong codes until the verification is locked, and one more. */
export const phoneEnded: Probe<Assumptions["phone.ended"]> = {
  group: "phone",
  calls: 1 + maxWrongCodes,
  charges: { phone_code: 1 },
  async observe(context) {
    const id = idIn(await startedPhone(context));
    const replies: ServiceReply[] = [];
    let isLocked = false;
    for (const code of wrongCodes) {
      const reply = await context.service.call("checkPhoneVerification", { body: { id, code } });
      replies.push(reply);
      if (valueIn(reply, "verified") === true) throw new CouldNotCheck("a guessed code was the right one");
      const isAnswered = isSuccess(reply) && valueIn(reply, "verified") === false;
      if (reply.status === 429 || reply.status === 410)
        return { value: "refused", replies: replies.slice(-2) };
      if (!isAnswered) return { value: null, replies: replies.slice(-2) };
      if (isLocked) return { value: "answered", replies: replies.slice(-2) };
      isLocked = valueIn(reply, "status") !== "pending";
    }
    return { value: null, replies: replies.slice(-1), note: `not locked after ${maxWrongCodes} wrong codes` };
  },
};

export const phoneCodeReuse: Probe<Assumptions["phone.code_reuse"]> = {
  group: "phone",
  calls: 3,
  charges: { phone_code: 1 },
  async observe(context) {
    const { service, phone, readCode } = context;
    if (!readCode) throw new NotTestable("needs the code that was sent; pass --otp-cmd");
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
    const { service, phone, readCode } = context;
    if (!readCode) throw new NotTestable("needs the code that was sent; pass --otp-cmd");
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
