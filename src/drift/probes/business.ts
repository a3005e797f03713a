/** Probes of references that are used twice, and of refunds that the balance cannot pay. */
import { toNaira } from "../../contract/money.js";
import type { Assumptions } from "../../service/assumptions.js";
import { maxTransfer } from "../../service/business/ledger.js";
import { isRefusal, isSuccess, listIn, NotTestable, type ReceivedReply, valueIn } from "../service-client.js";
import type { Probe, ProbeContext } from "./probe.js";

const customer = { customer_name: "Standin Drift", customer_email: "drift@standin.test" };
const profile = {
  business_name: "Standin Drift",
  business_type: "individual",
  contact_phone: "+2348031234567",
};

/** Creates a virtual account. Saves a business profile first if the account has none. */
export async function requestVirtualAccount(
  { service }: Pick<ProbeContext, "service">,
  reference: string,
): Promise<ReceivedReply> {
  const create = () => service.call("createVirtualAccount", { body: { ...customer, reference } });
  const reply = await create();
  if (!isRefusal(reply)) return reply;
  await service.call("saveBusinessProfile", { body: profile });
  return create();
}

/** Maximum number of calls of `createAccount`. */
export const callsToCreateAccount = 3;

export const referenceReuse: Probe<Assumptions["business.reference_reuse"]> = {
  group: "business",
  calls: callsToCreateAccount + 1,
  async observe(context) {
    const reference = context.reference();
    const first = await requestVirtualAccount(context, reference);
    const second = await context.service.call("createVirtualAccount", { body: { ...customer, reference } });
    const replies = [first, second];
    if (!isSuccess(first)) return { value: null, replies, note: "no virtual account could be created" };
    if (second.status === 409) return { value: "conflict", replies };
    const isSame = isSuccess(second) && valueIn(second, "id") === valueIn(first, "id");
    return { value: isSame ? "returned" : null, replies };
  },
};

/** More than most accounts have, in naira. */
const largePayout = 4_999_999;

/** Returns an amount in naira that the account cannot pay out. Calls the overview. */
export async function unpayableAmount({ service }: Pick<ProbeContext, "service">): Promise<number> {
  const balance = valueIn(await service.call("getBusinessOverview"), "balance");
  if (typeof balance !== "number") return largePayout;
  return Math.min(toNaira(maxTransfer), Math.max(largePayout, Math.ceil(balance) + 1));
}

/** Requests a refund of a payment that brought more than the whole balance, so that its money has been paid out. */
export const refundBalance: Probe<Assumptions["business.refund_balance"]> = {
  group: "business",
  calls: 3,
  async observe({ service }) {
    const balance = valueIn(await service.call("getBusinessOverview"), "balance");
    const payments = listIn(await service.call("listPayments", { query: { status: "success" } }), "payments");
    const paidOut = payments.find(({ net }) => Number(net) > Number(balance));
    if (!paidOut)
      throw new NotTestable(
        "needs a payment whose money has been paid out; pay out the balance of the account",
      );
    const body = { payment_id: paidOut.id, reason: "Standin drift" };
    const reply = await service.call("createRefund", { body });
    return { value: isRefusal(reply) ? "refused" : isSuccess(reply) ? "negative" : null, replies: [reply] };
  },
};
