/** The sections of `given`. Each makes its records with the operation that clients use. */
import * as Type from "typebox";

/** Replies of the operations that made the records, by section: a single reply, or a list. */
export type MadeRecords = Readonly<Record<string, unknown>>;

export type Fields = Readonly<Record<string, unknown>>;

export interface GivenSection {
  operation: string;
  /** Whether the section has a single record. Default: a list. */
  isSingle?: true;
  /** Fields that a scenario may omit. */
  defaults?: (made: MadeRecords) => Fields;
  /** Words that stand for moves, with the moves in order. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** Field of the reply that has the record's id. Default `id`. */
  id?: string;
  /** Sections that this section needs, with their records if the scenario omits them. */
  needs?: Readonly<Record<string, Fields | readonly Fields[]>>;
  description: string;
}

export const GivenMoves = Type.Array(
  Type.Union([
    Type.String(),
    Type.Object(
      { move: Type.String(), with: Type.Optional(Type.Object({}, { additionalProperties: true })) },
      { additionalProperties: false },
    ),
  ]),
  { description: "Moves to make by hand, in order, after the moves of words" },
);
export type Move = Type.Static<typeof GivenMoves>[number];

/** Value of a word: true, or the input of the last of its moves. */
export const Word = Type.Union([Type.Boolean(), Type.Object({}, { additionalProperties: true })]);

const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
/** BVN of an example person, required on live accounts. */
const bvn = "22301948576";
const firstOf = (made: MadeRecords, section: string, field: string): unknown =>
  (made[section] as Fields[] | undefined)?.[0]?.[field];

/** Sections in the order in which they are made: later ones may need earlier ones. */
export const sections: Readonly<Record<string, GivenSection>> = {
  account: { operation: "updateAccount", isSingle: true, description: "Plan, wallet and settings" },
  people: {
    operation: "registerPerson",
    defaults: () => ({ first_name: "Chidi", last_name: "Obi" }),
    description: "People, who are found by their numbers",
  },
  webhooks: { operation: "registerWebhook", description: "Webhook endpoints" },
  phone_verifications: {
    operation: "startPhoneVerification",
    defaults: () => ({ phone: "+2348031234567" }),
    words: { verified: ["verify"], locked: ["lock"], expired: ["expire"] },
    description: "One-time codes sent by SMS",
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
    description: "Messaging channels in addition to the main line",
  },
  channel_codes: {
    operation: "sendChannelCode",
    defaults: (made) => ({ channel_id: firstOf(made, "channels", "id"), to: "2348031234567" }),
    words: { verified: ["verify"], locked: ["lock"], expired: ["expire"] },
    needs: { channels: [{ connected: true }] },
    description: "One-time codes sent by message. Default channel: the first one",
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
    description: "Identity questions. Default channel: the first one",
  },
  business: {
    operation: "saveBusinessProfile",
    isSingle: true,
    defaults: () => ({
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "+2348031234567",
    }),
    description: "The business profile. Made by default when another section needs it",
  },
  payout_account: {
    operation: "setPayoutAccount",
    isSingle: true,
    defaults: () => ({ bank_code: "058", account_number: "0123456789" }),
    needs: { business: {} },
    description: "The bank account for payouts",
  },
  virtual_accounts: {
    operation: "createVirtualAccount",
    defaults: () => ({ ...customer, bvn }),
    words: { deactivated: ["deactivate"] },
    needs: { business: {} },
    description: "Virtual accounts. Payments make one by default",
  },
  payments: {
    operation: "simulatePayment",
    defaults: (made) => ({ virtual_account_id: firstOf(made, "virtual_accounts", "id"), amount: 5000 }),
    words: { settled: ["settle"], issue: ["raise_issue"] },
    id: "payment_id",
    needs: { virtual_accounts: [{}] },
    description: "Bank transfers. Default account: the first virtual account",
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
    description: "Refunds. Default payment: the first one",
  },
};
