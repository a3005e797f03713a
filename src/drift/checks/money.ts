/** Checks of the price list, the cost of calls, the fees of payments, and free calls. */
import { isObject } from "../../contract/json.js";
import { serviceOperations } from "../../service/index.js";
import { type Price, priceList, priceOf } from "../../service/prices.js";
import { second } from "../../time/time.js";
import {
  anyAddressCheck,
  anyPayment,
  anyVirtualAccount,
  callsToCreateAccount,
  callsToList,
  exampleCall,
  listedOf,
  pixelFile,
  startPhone,
  validRequest,
} from "../records.js";
import { listIn, NotTestable, type ReceivedReply, valueIn } from "../service-client.js";
import { ask, type DriftSide, idIn, made, poll } from "../side.js";
import { type CheckRow, wordOf } from "./check.js";

const pricing = (side: DriftSide): Promise<ReceivedReply> =>
  side.once("pricing", () => ask(side, "getPricing"));

/** Returns the service's price in naira, or null if its list does not have it. */
async function listedPrice(side: DriftSide, { type, channel }: Price): Promise<number | null> {
  const prices = listIn(await pricing(side), "prices");
  const found = prices.find((entry) => entry.type === type && entry.channel === channel);
  return typeof found?.price === "number" ? found.price : null;
}

const pricedBy = (key: string): string[] =>
  serviceOperations.filter(({ price }) => price === key).map(({ id }) => id);

const prices: readonly CheckRow[] = priceList.map((price) => ({
  id: `price.${price.key}`,
  about: `the price of ${price.key} in the price list`,
  operations: ["getPricing", ...pricedBy(price.key)],
  calls: 1,
  observe: async (side) => ({ naira: (await listedPrice(side, price)) ?? "not listed" }),
}));

/** Compares the cost of a call with the price list of the same side, so that a changed price is reported once, for the list. */
function costCheck(
  key: string,
  operation: string,
  priced: (side: DriftSide) => Promise<ReceivedReply>,
  { field = "cost", charges = { [key]: 1 } }: { field?: string; charges?: CheckRow["charges"] } = {},
): CheckRow {
  return {
    id: `cost.${key}`,
    about: `what ${operation} costs`,
    operations: [operation],
    calls: 2,
    charges,
    async observe(side) {
      const listed = await listedPrice(side, priceOf(key));
      const cost = valueIn(await made(priced(side)), field);
      return { naira: cost === listed ? "as listed" : typeof cost === "number" ? cost : "none" };
    },
  };
}

const costs: readonly CheckRow[] = [
  costCheck("phone_code", "startPhoneVerification", startPhone),
  // Shares its address check with limit.address.minutes.
  costCheck("address", "verifyAddress", anyAddressCheck, { charges: {} }),
  ...(["video", "voice", "stream"] as const).map((session_type) =>
    costCheck(
      `session_${session_type}`,
      "createStreamingToken",
      async (side) => {
        const valid = await validRequest(side, "createStreamingToken");
        return side.service.call("createStreamingToken", { ...valid, params: { session_type } });
      },
      { field: "price_per_minute" },
    ),
  ),
];

/** Amounts in naira around the amount from which the fee is a percentage. */
const feeAmounts = [4_999.99, 5_000, 5_001.49] as const;

const pollIntervalMs = second;
const maxPolls = 10;

const fees: readonly CheckRow[] = feeAmounts.map((amount) => ({
  id: `fee.${amount}`,
  about: `the fee of a payment of NGN ${amount}`,
  operations: ["listPayments", "simulatePayment"],
  calls: 1 + callsToCreateAccount + maxPolls,
  async observe(side) {
    const { id } = await anyPayment(side, amount);
    const query = { virtual_account_id: await anyVirtualAccount(side) };
    const waiting = { waitMs: (maxPolls - 1) * pollIntervalMs, intervalMs: pollIntervalMs };
    const found = await poll(side, waiting, async () => {
      const payments = listIn(await side.service.call("listPayments", { query }), "payments");
      return payments.find((payment) => payment.id === id) ?? null;
    });
    if (!found) throw new NotTestable("the payment is not listed after 9 s");
    return { fee: Number(found.fee), net: Number(found.net) };
  },
}));

const feeRules: CheckRow = {
  id: "fee.rules",
  about: "the fees of the overview",
  operations: ["getBusinessOverview"],
  calls: 1,
  async observe(side) {
    const fee = valueIn(await ask(side, "getBusinessOverview"), "fees");
    const { flat, percent_from, percent } = (isObject(fee) ? fee : {}) as Record<string, unknown>;
    return { flat: Number(flat), percent_from: Number(percent_from), percent: Number(percent) };
  },
};

const overviewChange: CheckRow = {
  id: "money.overview",
  about: "by how much a payment of NGN 5,000 changes the amounts of the overview",
  operations: ["getBusinessOverview", "simulatePayment"],
  calls: 3 + callsToCreateAccount,
  async observe(side) {
    const amounts = async () => {
      const { body } = await ask(side, "getBusinessOverview");
      return isObject(body) ? body : {};
    };
    await anyVirtualAccount(side);
    const before = await amounts();
    const { status } = await anyPayment(side, 5_000);
    if (status !== "success") throw new NotTestable(`the payment is ${wordOf(status)}`);
    const after = await amounts();
    const change = (field: string) => rounded(Number(after[field]) - Number(before[field]));
    return { received: change("received"), balance: change("balance"), fees_charged: change("fees_charged") };
  },
};

const rounded = (naira: number): number => Math.round(naira * 100) / 100;

/** A kind of record that is free the first time: how its records are listed and made. */
interface Free {
  readonly key: string;
  readonly operation: string;
  readonly slow?: true;
  list(side: DriftSide): Promise<ReceivedReply>;
  make(side: DriftSide): Promise<ReceivedReply>;
}

const listScans = (media_type: string) => (side: DriftSide) =>
  side.service.call("listMediaScans", { query: { media_type } });

const frees: readonly Free[] = [
  {
    key: "media_text",
    operation: "scanText",
    list: listScans("text"),
    make: ({ service }) => service.call("scanText", exampleCall("scanText")),
  },
  {
    key: "media_image",
    operation: "scanImage",
    slow: true,
    list: listScans("image"),
    make: ({ service }) => service.call("scanImage", { files: { file: pixelFile() } }),
  },
  {
    key: "audit_standard",
    operation: "createAudit",
    slow: true,
    list: ({ service }) => service.call("listAudits"),
    make: ({ service }) => service.call("createAudit", { body: { url: "https://example.com" } }),
  },
];

const freeFirst: readonly CheckRow[] = frees.map(({ key, operation, slow, list, make }) => ({
  id: `free.${key}`,
  about: `the price of the first ${operation} of an account and of the next, and whether both are listed`,
  operations: [operation],
  calls: 3 + callsToList,
  charges: { [key]: 2 },
  slow,
  async observe(side) {
    const before = await made(list(side));
    const isNew = Array.isArray(before.body) && before.body.length === 0;
    const replies = [await made(make(side)), await made(make(side))];
    const [first, next] = replies.map((reply) => Number(valueIn(reply, "cost"))) as [number, number];
    const price = await listedPrice(side, priceOf(key));
    return {
      first: isNew ? first : null,
      next: next === price ? "as listed" : next,
      listed: await listedOf(side, replies.map(idIn), () => list(side)),
    };
  },
}));

const freeCalls: CheckRow = {
  id: "free.month",
  about: "free calls of the month that a lookup uses",
  operations: ["getBalance", "verifyNin"],
  calls: 3,
  charges: { nin: 1 },
  async observe(side) {
    const left = async () => Number(valueIn(await ask(side, "getBalance"), "free_tier_remaining"));
    const before = await left();
    await ask(side, "verifyNin", exampleCall("verifyNin"));
    const used = before - (await left());
    return { used: before > 0 ? used : null };
  },
};

export const moneyChecks: readonly CheckRow[] = [
  ...prices,
  ...costs,
  ...fees,
  feeRules,
  overviewChange,
  ...freeFirst,
  freeCalls,
];
