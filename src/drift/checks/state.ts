/** Checks of states that a test key can bring about, beyond those that the scenarios play. */
import { minute, second } from "../../time/time.js";
import { idIn, wrongCodes } from "../probes/phone.js";
import { isSuccess, valueIn } from "../service-client.js";
import { type DriftCheck, wordOf } from "./check.js";
import {
  anyPayment,
  callsForVirtualAccount,
  connectedChannel,
  heldPayment,
  made,
  newChannel,
  newNumber,
  startPhone,
} from "./records.js";

const [someCode = ""] = wrongCodes;
/** Ends what is valid for a minute. */
const afterMinuteMs = minute + 5 * second;

export const stateChecks: readonly DriftCheck[] = [
  {
    id: "state.phone.started",
    kind: "state",
    group: "phone",
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
    kind: "state",
    group: "phone",
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
    kind: "state",
    group: "channels",
    about: "the reason why a code of a channel is not valid after its minute",
    operations: ["checkChannelCode"],
    calls: 3,
    slow: true,
    passesMs: afterMinuteMs,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const to = newNumber(side);
      await made(side.service.call("sendChannelCode", { params, body: { to, ttl_minutes: 1 } }));
      await side.pass(afterMinuteMs);
      const checked = await made(
        side.service.call("checkChannelCode", { params, body: { to, code: someCode } }),
      );
      return { reason: wordOf(valueIn(checked, "reason")) };
    },
  },
  {
    id: "state.channel_code.none",
    kind: "state",
    group: "channels",
    about: "the reason why a code is not valid that was never sent",
    operations: ["checkChannelCode"],
    calls: 2,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const body = { to: newNumber(side), code: someCode };
      const checked = await made(side.service.call("checkChannelCode", { params, body }));
      return { reason: wordOf(valueIn(checked, "reason")) };
    },
  },
  {
    id: "state.identity_check.expired",
    kind: "state",
    group: "channels",
    about: "the state of an identity question after its minute",
    operations: ["startIdentityCheck", "getIdentityCheck"],
    calls: 3,
    slow: true,
    passesMs: afterMinuteMs,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const body = { to: newNumber(side), question: "Standin drift?", expected: "drift", ttl_minutes: 1 };
      const started = await made(side.service.call("startIdentityCheck", { params, body }));
      await side.pass(afterMinuteMs);
      const verification_id = idIn(started);
      const read = await made(
        side.service.call("getIdentityCheck", { params: { ...params, verification_id } }),
      );
      return { state: wordOf(valueIn(read, "status")) };
    },
  },
  {
    id: "state.channel.new",
    kind: "state",
    group: "channels",
    about: "the state of a channel before its number is linked",
    operations: ["createChannel", "listChannels"],
    calls: 2,
    async observe(side) {
      const id = await newChannel(side);
      const { body } = await made(side.service.call("listChannels"));
      const channels = Array.isArray(body) ? (body as { id: string; status: string }[]) : [];
      return { state: wordOf(channels.find((channel) => channel.id === id)?.status ?? "not_listed") };
    },
  },
  {
    id: "state.payment.held",
    kind: "state",
    group: "business",
    about: "the state of a payment above the receive limit",
    operations: ["simulatePayment"],
    calls: 2 + callsForVirtualAccount,
    observe: async (side) => ({ state: wordOf((await heldPayment(side)).status) }),
  },
  {
    id: "state.charge.new",
    kind: "state",
    group: "business",
    about: "the state of the payment of a new charge",
    operations: ["createCharge"],
    calls: 1 + callsForVirtualAccount,
    async observe(side) {
      const body = {
        amount: 5_000,
        customer_name: "Standin Drift",
        customer_email: "drift@standin.test",
        description: "Standin drift",
      };
      await side.once("business profile", () => anyPayment(side, 100));
      const charge = await made(side.service.call("createCharge", { body }));
      return { state: wordOf(valueIn(charge, "payment", "status")) };
    },
  },
];
