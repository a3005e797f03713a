/** Checks of states that a test key can bring about, beyond those that the scenarios play. */
import { minute, second } from "../../time/time.js";
import {
  anyPayment,
  anyVirtualAccount,
  callsToCreateAccount,
  callsToList,
  connectedChannel,
  countListed,
  heldPayment,
  listedOf,
  newChannel,
  newNumber,
  newVirtualAccount,
  startPhone,
  validRequest,
  wrongCodes,
} from "../records.js";
import { isSuccess, listIn, valueIn } from "../service-client.js";
import { ask, type DriftSide, idIn } from "../side.js";
import { type CheckRow, wordOf } from "./check.js";

const [someCode = ""] = wrongCodes;
/** Wait, in ms, after which codes and questions that are valid for a minute have expired. */
const afterMinuteMs = minute + 5 * second;

/** Two records of a kind, and the list that has them. */
interface Listed {
  readonly operation: string;
  /** Maximum number of calls that make the records. */
  readonly calls: number;
  readonly charges?: CheckRow["charges"];
  make(side: DriftSide): Promise<string[]>;
  query?(side: DriftSide): Promise<Record<string, string>>;
}

const lists: readonly Listed[] = [
  {
    operation: "listVirtualAccounts",
    calls: 2 * callsToCreateAccount,
    make: async (side) => [await anyVirtualAccount(side), await newVirtualAccount(side)],
  },
  {
    operation: "listPayments",
    calls: 2 + callsToCreateAccount,
    make: async (side) => [(await anyPayment(side, 5_000)).id, (await anyPayment(side, 5_000)).id],
    query: async (side) => ({ virtual_account_id: await anyVirtualAccount(side) }),
  },
  {
    operation: "listStreamingSessions",
    calls: 2,
    charges: { session_voice: 2 },
    async make(side) {
      const open = async () =>
        ask(side, "createStreamingToken", await validRequest(side, "createStreamingToken"));
      return [await open(), await open()].map((reply) => String(valueIn(reply, "session_id")));
    },
  },
];

const listChecks = lists.map(
  ({ operation, calls, charges, make, query }): CheckRow => ({
    id: `state.${operation}`,
    about: "whether the list has two records that were made",
    operations: [operation],
    calls: calls + callsToList,
    charges,
    async observe(side) {
      const ids = await make(side);
      const input = query ? { query: await query(side) } : {};
      return { listed: await listedOf(side, ids, () => side.service.call(operation, input)) };
    },
  }),
);

/** Entries of the activity log have no id, so the check counts the entries that are new. */
const activityLog: CheckRow = {
  id: "state.listBusinessEvents",
  about: "whether the activity log has two account numbers that were made",
  operations: ["listBusinessEvents"],
  calls: 1 + 2 * callsToCreateAccount + callsToList,
  async observe(side) {
    const entries = async (): Promise<string[]> => {
      const events = listIn(await ask(side, "listBusinessEvents"), "events");
      return events
        .filter(({ kind }) => kind === "virtual_account.created")
        .map((entry) => JSON.stringify(entry));
    };
    const before = new Set(await entries());
    for (let i = 0; i < 2; i++) await newVirtualAccount(side);
    const listed = await countListed(
      side,
      2,
      async () => (await entries()).filter((entry) => !before.has(entry)).length,
    );
    return { listed };
  },
};

/** Session types that the check requests, apart from the type that scenarios request. */
const askedTypes = ["voice", "stream"] as const;

const sessionTypes: CheckRow = {
  id: "state.session.type",
  about: "the type of a session's token, requested as voice and as stream",
  operations: ["createStreamingToken"],
  calls: askedTypes.length,
  charges: Object.fromEntries(askedTypes.map((type) => [`session_${type}`, 1])),
  async observe(side) {
    const types: Record<string, string> = {};
    for (const session_type of askedTypes) {
      const valid = await validRequest(side, "createStreamingToken");
      const reply = await ask(side, "createStreamingToken", { ...valid, params: { session_type } });
      types[session_type] = wordOf(valueIn(reply, "type"));
    }
    return types;
  },
};

export const stateChecks: readonly CheckRow[] = [
  ...listChecks,
  activityLog,
  sessionTypes,
  {
    id: "state.phone.started",
    about: "the state of a phone verification after its start and after a wrong code",
    operations: ["startPhoneVerification", "checkPhoneVerification"],
    calls: 2,
    charges: { phone_code: 1 },
    async observe(side) {
      const started = await startPhone(side);
      const body = { id: idIn(started), code: someCode };
      const checked = await side.service.call("checkPhoneVerification", { body });
      return {
        started: wordOf(valueIn(started, "status")),
        checked: isSuccess(checked) ? wordOf(valueIn(checked, "status")) : `${checked.status}`,
        verified: isSuccess(checked) ? String(valueIn(checked, "verified")) : null,
      };
    },
  },
  {
    id: "state.phone.expired",
    about: "the state of a phone verification 10 minutes after its start",
    operations: ["checkPhoneVerification"],
    calls: 2,
    charges: { phone_code: 1 },
    slow: true,
    passesMs: 10 * minute + 5 * second,
    async observe(side) {
      const started = await startPhone(side);
      await side.pass(10 * minute + 5 * second);
      const body = { id: idIn(started), code: someCode };
      const checked = await side.service.call("checkPhoneVerification", { body });
      return { state: isSuccess(checked) ? wordOf(valueIn(checked, "status")) : `${checked.status}` };
    },
  },
  {
    id: "state.channel_code.expired",
    about: "the reason why a code of a channel is not valid after its minute",
    operations: ["checkChannelCode"],
    calls: 3,
    slow: true,
    passesMs: afterMinuteMs,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const to = newNumber(side);
      await ask(side, "sendChannelCode", { params, body: { to, ttl_minutes: 1 } });
      await side.pass(afterMinuteMs);
      const checked = await ask(side, "checkChannelCode", { params, body: { to, code: someCode } });
      return { reason: wordOf(valueIn(checked, "reason")) };
    },
  },
  {
    id: "state.channel_code.none",
    about: "the reason why a code that was never sent is not valid",
    operations: ["checkChannelCode"],
    calls: 2,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const body = { to: newNumber(side), code: someCode };
      const checked = await ask(side, "checkChannelCode", { params, body });
      return { reason: wordOf(valueIn(checked, "reason")) };
    },
  },
  {
    id: "state.identity_check.expired",
    about: "the state of an identity question after its minute",
    operations: ["startIdentityCheck", "getIdentityCheck"],
    calls: 3,
    slow: true,
    passesMs: afterMinuteMs,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const body = { to: newNumber(side), question: "Standin drift?", expected: "drift", ttl_minutes: 1 };
      const started = await ask(side, "startIdentityCheck", { params, body });
      await side.pass(afterMinuteMs);
      const verification_id = idIn(started);
      const read = await ask(side, "getIdentityCheck", { params: { ...params, verification_id } });
      return { state: wordOf(valueIn(read, "status")) };
    },
  },
  {
    id: "state.identity_check.pending",
    about: "the state of an identity question that nobody has answered",
    operations: ["startIdentityCheck", "getIdentityCheck"],
    calls: 3,
    async observe(side) {
      const valid = await validRequest(side, "startIdentityCheck");
      const verification_id = idIn(await ask(side, "startIdentityCheck", valid));
      const params = { ...valid.params, verification_id };
      const read = await ask(side, "getIdentityCheck", { params });
      return { state: wordOf(valueIn(read, "status")), attempts: Number(valueIn(read, "attempts")) };
    },
  },
  {
    id: "state.channel.new",
    about: "the state of a channel before its number is linked",
    operations: ["createChannel", "listChannels"],
    calls: 2,
    async observe(side) {
      const id = await newChannel(side);
      const channel = listIn(await ask(side, "listChannels")).find((one) => one.id === id);
      return { state: wordOf(channel ? channel.status : "not_listed") };
    },
  },
  {
    id: "state.payment.held",
    about: "the state of a payment above the receive limit",
    operations: ["simulatePayment"],
    calls: 2 + callsToCreateAccount,
    observe: async (side) => ({ state: wordOf((await heldPayment(side)).status) }),
  },
  {
    id: "state.charge.new",
    about: "the state of the payment of a new charge",
    operations: ["createCharge"],
    calls: 1 + callsToCreateAccount,
    async observe(side) {
      const body = {
        amount: 5_000,
        customer_name: "Standin Drift",
        customer_email: "drift@standin.test",
        description: "Standin drift",
      };
      await side.once("business profile", () => anyPayment(side, 100));
      const charge = await ask(side, "createCharge", { body });
      return { state: wordOf(valueIn(charge, "payment", "status")) };
    },
  },
];
