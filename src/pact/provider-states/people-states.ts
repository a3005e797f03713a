/** Provider states of phone codes, identity and address checks, messaging channels, and the account. */
import * as Type from "typebox";
import { runAction } from "../../scenarios/given.js";
import { ChatNumber } from "../../service/numbers.js";
import type { EventKind } from "../../service/webhooks/events.js";
import { fieldAt, providerState, type StateContext } from "./define-state.js";

const phoneState = <const Name extends string>(name: Name, description: string, move: string | null) =>
  providerState(name, {
    description,
    params: { phone: Type.String({ examples: ["+2348031234567"] }), reference: Type.String() },
    values: {
      id: ["The verification's id", "phone_verifications.id"],
      phone: ["E.164", "phone_verifications.phone"],
      code: "The code that was sent",
    },
    // Keeps test numbers from choosing another outcome.
    given: (params) => ({
      phone_verifications: [{ ...params, outcome: "sent", ...(move ? { [move]: true } : {}) }],
    }),
    finish: ({ account }, _params, { phone }) => ({
      code: account.inbox.list({ to: phone })[0]?.codes[0] ?? "",
    }),
  });

interface AddressStateSpec {
  description: string;
  events?: readonly EventKind[];
  finish?(context: StateContext, params: { country?: string }): Promise<undefined>;
}

const addressState = <const Name extends string>(name: Name, spec: AddressStateSpec) =>
  providerState(name, {
    ...spec,
    params: {
      address: Type.String(),
      full_name: Type.String(),
      country: Type.String({ examples: ["NG"] }),
    },
    values: { id: ["The check's id", "addresses.id"] },
    given: (params) => ({ addresses: [params] }),
  });

const addressAdvice = "give a house and street in a town of Nigeria, such as 12 Allen Avenue, Ikeja, Lagos";

interface AddressCheck {
  id: string;
  address: {
    submitted: string;
    /** Null if the gazetteer does not know the address. */
    latitude: number;
    longitude: number | null;
    precision: string;
  };
}

/** Returns a `finish` function that has the person share a location some degrees north of the address. */
const sharesLocation =
  (degreesNorth: number, expectedStatus: string) =>
  async (
    { account, stage, made }: StateContext,
    { country = "NG" }: { country?: string },
  ): Promise<undefined> => {
    const [check] = made.addresses as readonly AddressCheck[];
    const { id, address } = check as AddressCheck;
    const { latitude, longitude, precision } = address;
    const submitted = JSON.stringify(address.submitted.slice(0, 100));
    if (precision === "unknown")
      throw new Error(`${submitted} in ${country} is not on the map; ${addressAdvice}`);
    const location = { latitude: latitude + degreesNorth, longitude, accuracy_m: 10 };
    const { status } = (await runAction(account, stage, "visitAddress", { id, ...location })) as {
      status: string;
    };
    if (status !== expectedStatus)
      throw new Error(
        `only the ${precision} of ${submitted} is on the map, so the check would be ${status}; ${addressAdvice}`,
      );
  };

export const peopleStates = [
  phoneState("a pending phone verification", "A code was sent by SMS and has not been checked", null),
  phoneState("a locked phone verification", "The code is locked after five wrong attempts", "locked"),
  phoneState("an expired phone verification", "The code was sent and has expired", "expired"),
  phoneState("a verified phone verification", "The right code was checked", "verified"),

  providerState("a registered person", {
    description: "A person with a BVN, a NIN, a phone number and a bank account",
    params: {
      first_name: Type.String(),
      last_name: Type.String(),
      date_of_birth: Type.String(),
      bvn: Type.String(),
      nin: Type.String(),
      phone_number: Type.String(),
    },
    values: {
      bvn: ["11 digits", "people.bvn"],
      nin: ["11 digits", "people.nin"],
      phone_number: ["E.164", "people.phone_number"],
      first_name: ["First name", "people.first_name"],
      last_name: ["Last name", "people.last_name"],
    },
    given: (params) => ({ people: [params] }),
  }),

  addressState("a pending address check", {
    description: "The address was found; the person has not shared a location",
  }),
  addressState("a verified address", {
    description: "The person shared a location at the address",
    events: ["verification.completed"],
    finish: sharesLocation(0, "verified"),
  }),
  addressState("an address in review", {
    description: "The person shared a location far from the address",
    events: ["verification.completed"],
    finish: sharesLocation(1, "review"),
  }),

  providerState("a plan", {
    description: "The account's plan; starter if omitted",
    params: { plan: Type.Enum(["starter", "growth", "business"]) },
    given: ({ plan = "starter" }) => ({ account: { plan } }),
  }),
  providerState("a wallet balance", {
    description: "The wallet that calls are paid from, in NGN; 500 if omitted",
    params: { balance: Type.Number({ minimum: 0 }) },
    values: { balance: "NGN" },
    given: ({ balance = 500 }) => ({ account: { balance } }),
    finish: (_context, { balance = 500 }) => ({ balance }),
  }),
  providerState("an empty wallet", {
    description: "The wallet is empty: calls with a price are refused",
    given: () => ({ account: { balance: 0 } }),
  }),
  providerState("free calls", {
    description: "Free lookups left this month; 10 if omitted",
    params: { calls: Type.Integer({ minimum: 0 }) },
    given: ({ calls = 10 }) => ({ account: { free_tier: calls } }),
  }),
] as const;

const label = { label: Type.String() };
const to = { to: ChatNumber };
const values = { channel_id: ["The channel's id", "channels.id"] } as const;
const checkValues = { ...values, id: ["The check's id", "identity_checks.id"] } as const;

const answer = "Ngozi";
/** The event of the check's end is only sent if the channel has a website. */
const channelWithWebsite = {
  connected: true,
  moves: [{ move: "connect_website", with: { url: "https://shop.example.com/verified" } }],
};

/** A question that has ended. `reply` is the person's answer; null if there is none. */
const endedQuestion = <const Name extends string>(
  name: Name,
  description: string,
  fields: object,
  reply: string | null,
) =>
  providerState(name, {
    description,
    params: to,
    values: checkValues,
    events: ["verification"],
    given: (params) => ({
      channels: [channelWithWebsite],
      identity_checks: [{ ...params, expected: answer, ...fields }],
    }),
    async finish(context, _params, { channel_id }) {
      const person = fieldAt(context, "identity_checks.to");
      if (reply !== null) await writeAsPerson(context, channel_id, person, reply);
      return undefined;
    },
  });

const writeAsPerson = ({ account, stage }: StateContext, channel_id: string, from: string, text: string) =>
  runAction(account, stage, "replyAsPerson", { channel_id, from, text });

export const channelStates = [
  providerState("a disconnected channel", {
    description: "A channel without a linked number",
    params: label,
    values,
    given: (params) => ({ channels: [params] }),
  }),
  providerState("a connected channel", {
    description: "A channel with a linked number",
    params: label,
    values,
    given: (params) => ({ channels: [{ ...params, connected: true }] }),
  }),
  providerState("an open message window", {
    description: "A person has just written to a connected channel and may be answered",
    params: to,
    values: { ...values, to: "The person's number" },
    given: () => ({ channels: [{ connected: true }] }),
    async finish(context, { to: from = "2348031234567" }, { channel_id }) {
      await writeAsPerson(context, channel_id, from, "Hello");
      return { to: from };
    },
  }),
  providerState("a pending channel code", {
    description: "A code was sent on a channel and has not been checked",
    params: to,
    values: {
      ...values,
      id: ["The code's id", "channel_codes.id"],
      to: ["The person's number", "channel_codes.to"],
      code: "The code",
    },
    // Keeps test numbers from choosing another outcome.
    given: (params) => ({ channel_codes: [{ ...params, outcome: "sent" }] }),
    finish: ({ account }, _params, { to: number }) => ({
      code: account.inbox.list({ to: number })[0]?.codes[0] ?? "",
    }),
  }),
  providerState("an open identity question", {
    description: "A person was asked a question and has not answered",
    params: { ...to, question: Type.String(), expected: Type.String(), reference: Type.String() },
    values: checkValues,
    given: (params) => ({ identity_checks: [params] }),
  }),
  endedQuestion("an answered identity question", "The person gave the expected answer", {}, answer),
  endedQuestion(
    "a failed identity question",
    "The person used up all attempts",
    { max_attempts: 1 },
    `not ${answer}`,
  ),
  endedQuestion("an expired identity question", "The person did not answer in time", { expired: true }, null),
] as const;
