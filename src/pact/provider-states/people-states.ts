/** Interface: phone codes, identity and address checks, account. */
import * as Type from "typebox";
import { runAction } from "../../scenarios/given.js";
import { firstOf, type Setting, some, state, type Values } from "./define-state.js";

const phone = { phone: Type.String({ examples: ["+2348031234567"] }), reference: Type.String() };
const phoneValues = { id: "The verification's id", phone: "E.164", code: "The code that was sent" };

const newestCode = ({ account }: Setting, to: string): string =>
  account.inbox.list({ to })[0]?.codes[0] ?? "";

const phoneState = (name: string, description: string, word: string | null) =>
  state(name, {
    description,
    params: phone,
    values: phoneValues,
    // The state decides, and not what a test number asks for.
    given: (params) => ({
      phone_verifications: [{ ...some(params), outcome: "sent", ...(word ? { [word]: true } : {}) }],
    }),
    finish(setting): Values {
      const number = firstOf(setting, "phone_verifications", "phone");
      return {
        id: firstOf(setting, "phone_verifications", "id"),
        phone: number,
        code: newestCode(setting, number),
      };
    },
  });

const address = {
  address: Type.String(),
  full_name: Type.String(),
  country: Type.String({ examples: ["NG"] }),
};
const addressValues = { id: "The check's id" };
const addressGiven = (params: object) => ({ addresses: [some({ ...params })] });

const rightAddress = "a house and street in a town of Nigeria, such as 12 Allen Avenue, Ikeja, Lagos";

interface Place {
  submitted: string;
  /** Null: the map does not have it. */
  latitude: number | null;
  longitude: number | null;
  precision: string;
}

/** The person's phone says that it is so many degrees north of the address; the check must come to the status. */
const seen =
  (north: number, wanted: string) =>
  async (setting: Setting, { country = "NG" }: { country?: string }) => {
    const [check] = setting.made.addresses as readonly { id: string; address: Place }[];
    const { id, address: place } = check as { id: string; address: Place };
    const asked = JSON.stringify(place.submitted.slice(0, 100));
    const { latitude, longitude, precision } = place;
    if (latitude === null)
      throw new Error(`the map does not know ${asked} in ${country}; give ${rightAddress}`);
    const there = { latitude: latitude + north, longitude, accuracy_m: 10 };
    const visited = await runAction(setting.account, setting.stage, "visitAddress", { id, ...there });
    const { status } = visited as { status: string };
    if (status !== wanted) {
      const why = `of ${asked} the map knows the ${precision} alone, so the check would be ${status}`;
      throw new Error(`${why}; give ${rightAddress}`);
    }
    return { id };
  };

export const peopleStates = [
  phoneState("a pending phone verification", "A code was sent by SMS and waits to be checked", null),
  phoneState("a locked phone verification", "Five wrong codes were tried", "locked"),
  phoneState("an expired phone verification", "Ten minutes have passed since the code was sent", "expired"),
  phoneState("a verified phone verification", "The right code was checked", "verified"),

  state("a registered person", {
    description: "A person stands behind a BVN, a NIN, a phone number and a bank account",
    params: {
      first_name: Type.String(),
      last_name: Type.String(),
      date_of_birth: Type.String(),
      bvn: Type.String(),
      nin: Type.String(),
      phone_number: Type.String(),
    },
    values: {
      bvn: "11 digits",
      nin: "11 digits",
      phone_number: "E.164",
      first_name: "Name",
      last_name: "Name",
    },
    given: (params) => ({ people: [some(params)] }),
    finish: (setting): Values =>
      Object.fromEntries(
        ["bvn", "nin", "phone_number", "first_name", "last_name"].map((field) => [
          field,
          firstOf(setting, "people", field),
        ]),
      ),
  }),

  state("a pending address check", {
    description: "An address was found on the map, and its person has not been there yet",
    params: address,
    values: addressValues,
    given: addressGiven,
    finish: (setting): Values => ({ id: firstOf(setting, "addresses", "id") }),
  }),
  state("a verified address", {
    description: "The person's phone was at the address",
    params: address,
    values: addressValues,
    given: addressGiven,
    finish: seen(0, "verified"),
  }),
  state("an address in review", {
    description: "The person's phone was far from the address",
    params: address,
    values: addressValues,
    given: addressGiven,
    finish: seen(1, "review"),
  }),

  state("a plan", {
    description: "The account's plan",
    params: { plan: Type.Enum(["starter", "growth", "business"]) },
    given: ({ plan = "starter" }) => ({ account: { plan } }),
  }),
  state("a wallet balance", {
    description: "What calls are paid from, NGN",
    params: { balance: Type.Number({ minimum: 0 }) },
    values: { balance: "NGN" },
    given: ({ balance = 500 }) => ({ account: { balance } }),
    finish: (_setting, { balance = 500 }): Values => ({ balance }),
  }),
  state("an empty wallet", {
    description: "No call that costs something can be paid",
    given: () => ({ account: { balance: 0 } }),
  }),
  state("free calls", {
    description: "Number lookups that cost nothing this month",
    params: { calls: Type.Integer({ minimum: 0 }) },
    given: ({ calls = 10 }) => ({ account: { free_tier: calls } }),
  }),
];
