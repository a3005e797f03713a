/** What `given` may say: every section makes its records by the operation that makes them for clients. */
import * as Type from "typebox";

/** What was made, by section: the replies, one or a list of them. */
export type MadeRecords = Readonly<Record<string, unknown>>;

export type Fields = Readonly<Record<string, unknown>>;

export interface Section {
  operation: string;
  /** A section without `one` is a list. */
  one?: true;
  /** What a scenario need not say. */
  defaults?: (made: MadeRecords) => Fields;
  /** Moves that a word stands for, in the order in which they are made. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** Where the reply has the record's id; default `id`. */
  id?: string;
  /** Other sections, and how they are made where a scenario does not give them. */
  needs?: Readonly<Record<string, Fields | readonly Fields[]>>;
  description: string;
}

/** Moves by hand, one after the other, after those of the words. */
export const Moves = Type.Array(
  Type.Union([
    Type.String(),
    Type.Object(
      { move: Type.String(), with: Type.Optional(Type.Object({}, { additionalProperties: true })) },
      { additionalProperties: false },
    ),
  ]),
  { description: "Moves by hand, one after the other" },
);
export type Move = Type.Static<typeof Moves>[number];

/** True, or the input of the last of the moves for which the word stands. */
export const Word = Type.Union([Type.Boolean(), Type.Object({}, { additionalProperties: true })]);

const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
/** Of an example person: live accounts must give one. */
const bvn = "22301948576";
const firstOf = (made: MadeRecords, section: string, field: string): unknown =>
  (made[section] as Fields[] | undefined)?.[0]?.[field];

/** In the order in which they are made: what comes later may need what comes before. */
export const sections: Readonly<Record<string, Section>> = {
  account: { operation: "updateAccount", one: true, description: "Plan, wallet and settings" },
  people: {
    operation: "registerPerson",
    defaults: () => ({ first_name: "Chidi", last_name: "Obi" }),
    description: "Persons behind their numbers",
  },
  webhooks: { operation: "registerWebhook", description: "Endpoints" },
  phone_verifications: {
    operation: "startPhoneVerification",
    defaults: () => ({ phone: "+2348031234567" }),
    words: { verified: ["verify"], locked: ["lock"], expired: ["expire"] },
    description: "Codes sent by SMS",
  },
  addresses: {
    operation: "verifyAddress",
    defaults: () => ({ address: "12 Allen Avenue, Ikeja, Lagos", full_name: "Adaeze Okafor", country: "NG" }),
    description: "Address checks",
  },
  sessions: {
    operation: "createStreamingToken",
    defaults: () => ({
      room_name: "clinic",
      identity: "patient-7",
      display_name: "Ada",
      role: "publisher",
      session_type: "video",
    }),
    words: { completed: ["end"], expired: ["expire"] },
    id: "session_id",
    description: "Real-time sessions",
  },
  audits: {
    operation: "createAudit",
    defaults: () => ({ url: "https://shop.example.com", tier: "deep" }),
    words: { ready: ["complete"], failed: ["fail"] },
    description: "Website audits",
  },
  domains: {
    operation: "startDomainVerification",
    defaults: () => ({ domain: "shop.example.com" }),
    words: { verified: ["prove"] },
    description: "Domain verifications",
  },
  channels: {
    operation: "createChannel",
    defaults: () => ({ label: "Front desk" }),
    words: { connecting: ["connect"], connected: ["connect", "scan"] },
    description: "Messaging channels, beside the Main line",
  },
  channel_codes: {
    operation: "sendChannelCode",
    defaults: (made) => ({ channel_id: firstOf(made, "channels", "id"), to: "2348031234567" }),
    words: { verified: ["verify"], locked: ["lock"], expired: ["expire"] },
    needs: { channels: [{ connected: true }] },
    description: "Codes sent by message, on the first channel unless another is named",
  },
  identity_checks: {
    operation: "startIdentityCheck",
    defaults: (made) => ({
      channel_id: firstOf(made, "channels", "id"),
      to: "2348031234567",
      question: "What is your mother's first name?",
      expected: "Ngozi",
    }),
    words: { expired: ["expire"] },
    needs: { channels: [{ connected: true }] },
    description: "Identity questions, on the first channel unless another is named",
  },
  business: {
    operation: "saveBusinessProfile",
    one: true,
    defaults: () => ({
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "+2348031234567",
    }),
    description: "The business profile; whatever is about money saves it where it is not given",
  },
  payout_account: {
    operation: "setPayoutAccount",
    one: true,
    defaults: () => ({ bank_code: "058", account_number: "0123456789" }),
    needs: { business: {} },
    description: "Where payouts go",
  },
  virtual_accounts: {
    operation: "createVirtualAccount",
    defaults: () => ({ ...customer, bvn }),
    words: { deactivated: ["deactivate"] },
    needs: { business: {} },
    description: "Bank account numbers; payments make one where none is given",
  },
  payments: {
    operation: "simulatePayment",
    defaults: (made) => ({ virtual_account_id: firstOf(made, "virtual_accounts", "id"), amount: 5000 }),
    words: { settled: ["settle"], issue: ["raise_issue"] },
    id: "payment_id",
    needs: { virtual_accounts: [{}] },
    description: "Transfers to the first account number unless another is named",
  },
  charges: {
    operation: "createCharge",
    defaults: () => ({ amount: 5000, description: "Order 1042", ...customer }),
    words: { paid: ["pay"] },
    id: "reference",
    needs: { business: {} },
    description: "Card checkout links",
  },
  payouts: {
    operation: "createPayout",
    defaults: () => ({ amount: 5000 }),
    words: { paid: ["pay"], failed: ["fail"], rejected: ["reject"] },
    needs: { payments: [{ amount: 20_000, settled: true }], payout_account: {} },
    description: "Payouts of settled money",
  },
  refunds: {
    operation: "createRefund",
    defaults: (made) => ({ payment_id: firstOf(made, "payments", "payment_id"), reason: "Returned goods" }),
    words: { processed: ["process"], failed: ["fail"], rejected: ["reject"] },
    needs: { payments: [{}] },
    description: "Refunds, of the first payment unless another is named",
  },
};
