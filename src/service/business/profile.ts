/** The business: its profile, the account that its payouts go to, the overview of its money, and its activity log. */
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { toNaira } from "../../contract/money.js";
import { exactly, naira, notBlank, nullable, Timestamp } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import { fixedTable } from "../../world/store/table.js";
import type { SentEvent } from "../../world/webhooks/outbox.js";
import { bankOf } from "../banks.js";
import { findAccountOwner, inventAccountOwner } from "../identity/bank-accounts.js";
import { AccountNumber, BankCode, PhoneNumber, requireE164 } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { type EventKind, eventKinds, events } from "../webhooks/events.js";
import { flatFee, percent, percentFrom, receivedBy, receiveLimit, remainingOf } from "./ledger.js";

/** Fields of the request, which is also the saved profile. */
const businessProfile = {
  business_name: Type.String({ ...notBlank, examples: ["Ada Stores"] }),
  business_type: Type.Enum(["registered", "individual"]),
  contact_phone: PhoneNumber,
};

export const BusinessProfile = exactly(businessProfile);

export const PayoutAccount = exactly(
  {
    bank_code: Type.String(),
    bank_name: Type.String(),
    account_number: Type.String(),
    account_name: Type.String({ description: "Account name at the bank" }),
    updated_at: Timestamp,
  },
  { "x-assumption": "business.payout_account" },
);

/** Profile that the merchant has saved. */
const businessRecords = fixedTable<{
  profile: Type.Static<typeof BusinessProfile>;
  payout_account: Type.Static<typeof PayoutAccount>;
}>("business");

type Profile = Type.Static<typeof BusinessProfile>;

export const findProfile = ({ state }: Account): Profile | null =>
  state.get(businessRecords, "profile") ?? null;

/** Returns the profile, which account numbers and payments need. Refuses with business_profile_required if there is none. */
export const requireProfile = (account: Account): Profile =>
  findProfile(account) ??
  refuse("business_profile_required", {
    message:
      "Save the business profile first: PUT /v1/business/profile {business_name, business_type, contact_phone}.",
  });

export const saveBusinessProfile = operation({
  id: "saveBusinessProfile",
  route: "PUT /v1/business/profile",
  summary: "Save the business profile",
  description: "The profile must be set before creating account numbers or taking payments.",
  auth: "key",
  body: Type.Object(businessProfile),
  reply: { 200: BusinessProfile },
  refuses: ["invalid_phone"],
  assumptions: ["phone.notations", "business.status", "business.profile"],

  handle({ account, body: { business_name, business_type, contact_phone } }) {
    requireE164("contact_phone", contact_phone);
    const profile: Profile = { business_name, business_type, contact_phone };
    account.state.put(businessRecords, "profile", profile);
    return profile;
  },
});

const outcomes = {
  resolved: "the bank knows the account number",
  not_found: "the bank does not know the account number: account_not_resolved",
};

export const findPayoutAccount = ({ state }: Account): Type.Static<typeof PayoutAccount> | null =>
  state.get(businessRecords, "payout_account") ?? null;

export const setPayoutAccount = operation({
  id: "setPayoutAccount",
  route: "PUT /v1/business/payout-account",
  summary: "Set the bank account that payouts go to",
  description: "The account name is checked with the bank.",
  auth: "key",
  body: Type.Object({ bank_code: BankCode, account_number: AccountNumber }),
  reply: { 200: PayoutAccount },
  refuses: ["invalid_bank_code", "invalid_account_number", "account_not_resolved"],
  outcomes,
  assumptions: ["banks", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("setPayoutAccount", "account number", body.account_number),
  prepare: loadInventor,

  handle(call) {
    const { account, body, decision, refuse } = call;
    const { bank_code, account_number } = body;
    const { owner, isKnown } = findAccountOwner(call, bank_code, account_number);
    if (isKnown && decision.by === "default") decideOutcome(call, owner ? "resolved" : "not_found");
    const bank_name = bankOf(bank_code).name;
    if (call.outcome === "not_found") {
      const message = `${bank_name} does not know the account number ${account_number}.`;
      refuse("account_not_resolved", { param: "account_number", message, byOutcome: true });
    }
    const { account_name } = owner ?? inventAccountOwner(call, bank_code, account_number);
    const saved = { bank_code, bank_name, account_number, account_name, updated_at: account.clock.iso() };
    account.state.put(businessRecords, "payout_account", saved);
    return saved;
  },
});

const payoutAssumption = { "x-assumption": "business.payout" };

export const Overview = exactly({
  status: Type.Enum(["setup_required", "active"], { "x-assumption": "business.status" }),
  business_verified: Type.Boolean(),
  limit: naira({ description: "NGN that may be received before the business is verified" }),
  received: naira({ "x-assumption": "business.payments" }),
  remaining: nullable(naira(), { description: "NGN; null once verified" }),
  balance: naira(),
  available: naira({ description: "NGN available for payouts", ...payoutAssumption }),
  pending: naira({ description: "NGN received in the last 24 hours", ...payoutAssumption }),
  held: naira({ description: "NGN, gross amount of held payments", "x-assumption": "business.payments" }),
  fees_charged: naira({ "x-assumption": "business.payments" }),
  fees: exactly({
    flat: naira({ description: "NGN per payment below percent_from" }),
    percent_from: naira({ description: "NGN from which percent applies instead" }),
    percent: Type.Number({ description: "Percent of the amount" }),
  }),
  live: Type.Boolean(),
});

export const getBusinessOverview = operation({
  id: "getBusinessOverview",
  route: "GET /v1/business/overview",
  summary: "Get limit, balance and fees of the business",
  description: "Amounts are in NGN. The receive limit applies until the business certificate is verified.",
  auth: "key",
  reply: { 200: Overview },

  handle({ account }) {
    const { ledger } = account;
    const [pending, available] = [ledger.balance("pending"), ledger.balance("available")];
    const remaining = remainingOf(account);
    return {
      status: findProfile(account) ? ("active" as const) : ("setup_required" as const),
      business_verified: account.settings.business_verified,
      limit: toNaira(receiveLimit),
      received: toNaira(receivedBy(account)),
      remaining: remaining === null ? null : toNaira(remaining),
      balance: toNaira(pending + available),
      available: toNaira(available),
      pending: toNaira(pending),
      held: toNaira(ledger.balance("held")),
      fees_charged: toNaira(ledger.balance("fees")),
      fees: { flat: toNaira(flatFee), percent_from: toNaira(percentFrom), percent },
      live: account.live,
    };
  },
});

// The activity log.

type BusinessEventKind = Exclude<EventKind, "verification" | "verification.completed">;

const businessEventKinds = eventKinds.filter(
  (kind): kind is BusinessEventKind => kind !== "verification" && kind !== "verification.completed",
);

export const BusinessEvent = exactly({
  kind: Type.Enum(businessEventKinds),
  message: Type.String(),
  created_at: Timestamp,
});

const isBusinessEvent = (kind: string): kind is BusinessEventKind =>
  (businessEventKinds as readonly string[]).includes(kind);

/**
 * Returns the business events of the list as the activity log shows them; assumption business.events. Events that
 * were triggered by hand are omitted.
 */
const viewEvents = (sent: readonly SentEvent[]) =>
  sent.flatMap(({ event, data, created_at, by_hand }) =>
    isBusinessEvent(event) && !by_hand
      ? [{ kind: event, message: events[event].message?.(data as never) ?? "", created_at }]
      : [],
  );

export const listBusinessEvents = operation({
  id: "listBusinessEvents",
  route: "GET /v1/business/events",
  summary: "List the activity log of the business",
  description: "The kinds are those of the webhooks.",
  auth: "key",
  reply: { 200: exactly({ events: Type.Array(BusinessEvent) }) },
  assumptions: ["lists", "business.events"],
  handle: ({ account }) => ({ events: viewEvents([...account.outbox.events()]) }),
});
