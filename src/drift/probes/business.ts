/** Probe of references that are used twice. */
import type { Assumptions } from "../../contract/assumptions.js";
import { isRefusal, isSuccess, type ServiceReply, valueIn } from "../service-client.js";
import type { Probe, ProbeContext } from "./probe.js";

const customer = { customer_name: "Standin Drift", customer_email: "drift@standin.test" };
const profile = {
  business_name: "Standin Drift",
  business_type: "individual",
  contact_phone: "+2348031234567",
};

/** Creates a virtual account. Saves a business profile first if the account has none. */
export async function createAccount({ service }: ProbeContext, reference: string): Promise<ServiceReply> {
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
    const first = await createAccount(context, reference);
    const second = await context.service.call("createVirtualAccount", { body: { ...customer, reference } });
    const replies = [first, second];
    if (!isSuccess(first)) return { value: null, replies, note: "no virtual account could be created" };
    if (second.status === 409) return { value: "conflict", replies };
    const isSame = isSuccess(second) && valueIn(second, "id") === valueIn(first, "id");
    return { value: isSame ? "returned" : null, replies };
  },
};
