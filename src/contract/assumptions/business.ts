import { type Assumption, facts } from "./assumption.js";

/** Interface: "Business payments". */
export const businessRows = [
  {
    id: "business.status",
    question: "Which statuses has the business overview?",
    default: "`setup_required`, `active`.",
    reason: "The profile must be saved before anything else works.",
  },
  {
    id: "business.payments",
    question: "How does a payment move between its statuses, and which amounts count where?",
    default: facts(
      "pending → success, held, failed; held → success, failed.",
      "A payment carries hold reasons (limit, issue) and leaves held when none is left.",
      "An issue may hit pending, success or held.",
      "A declined card: payment failed and payment.failed; a later card on the same checkout: failed → success.",
      "Unpaid charges are listed as pending; the status filter takes success, held and failed, else 400.",
      "`received` is the gross of successful payments, a running total against the receive limit; refunds give nothing back.",
      "An amount above `remaining` is held; its release emits payment.received, and its 24 hours start then.",
      "Transfers to a virtual account emit payment.received as cards do.",
      "payment.settled is sent when the 24 hours are over.",
      "`fees_charged` is net of returned fees, and has those of payouts.",
      "A second declined card sends no second payment.failed; a payment that had succeeded, failed and succeeds again is received anew.",
      "Money under an issue leaves `received`; if it no longer fits the limit when the issue is resolved, it is held for the limit.",
      "An issue does not prolong the 24 hours of a payment that was successful before.",
    ),
    reason:
      "It is the least that satisfies every sentence of the interface on holds, limits and the 24 hours.",
  },
  {
    id: "business.transfers",
    question: "Which amounts may a simulated transfer have?",
    default: "From NGN 100, as a charge, to NGN 1,000,000,000; at most two decimals.",
    reason:
      "The flat fee of NGN 50 must leave something, and amounts above the receive limit must be possible.",
  },
  {
    id: "business.virtual_accounts",
    question: "What do payments and total_received of a listed virtual account count?",
    default: "Successful payments and their gross; a held payment counts once it is released.",
    reason: "It is what the overview's received counts.",
  },
  {
    id: "business.events",
    question: "What does the activity log hold?",
    default: "Every business event of the event table, the newest 10,000, with a sentence for people.",
    reason: "The interface says that the same kinds are listed, and a log of all of them leaves nothing out.",
  },
  {
    id: "business.cards",
    question: "Which cards does the checkout take?",
    default: facts(
      "The test cards of `fixtures/test-cards.json` and no other; of a card the last four digits are kept.",
      "A declined card leaves the charge open for another one; a paid charge takes none.",
    ),
    reason: "A real card number must never be entered into a sandbox.",
  },
  {
    id: "business.payout",
    question: "What does a payout cost, how much can be paid out and how long does it take?",
    default: facts(
      "The fee is NGN 50; `you_receive` is the amount less the fee.",
      "The amount may be at most the available balance.",
      "It is paid after 1 minute.",
      "The overview also carries `available` and `pending`.",
    ),
    reason:
      "The interface mentions a fee and available and pending amounts; NGN 50 is its flat fee elsewhere.",
  },
  {
    id: "business.refund",
    question: "Which payments can be refunded, how far, and from which balance?",
    default: facts(
      "Only a successful payment, else `not_refundable`.",
      "Partial refunds add up to the payment at most; requested refunds count against the maximum.",
      "Money moves at processed: from pending while unsettled, else from available, which may go negative.",
      "It is processed after 1 minute.",
      "The returned fee is the fee times the part refunded, rounded half up to the kobo over all parts together, so that they add up to the fee.",
      "Without an amount all that is left is refunded. Money of a payment that is held meanwhile comes out of `held`; a refund of one that failed meanwhile fails.",
    ),
    reason: "The refunded amount comes off the balance on approval and the fee on that part is returned.",
  },
  {
    id: "business.payout_account",
    question: "What does setting the payout account answer?",
    default: facts(
      "`{bank_code,bank_name,account_number,account_name,updated_at}`.",
      "An unknown account is 422 `account_not_resolved`.",
    ),
    reason: "The account name is checked with the bank, so the reply can show it.",
  },
  {
    id: "business.profile",
    question: "What does saving the profile again change?",
    default:
      "It replaces the whole profile; account numbers keep the name that they were made with, and `contact_phone` is kept as sent.",
    reason: "A PUT replaces, and a bank does not rename an account by itself.",
  },
  {
    id: "business.reference",
    question: "What becomes of a reference that is absent?",
    default: "It is generated.",
    reason: "The interface shows it in every reply.",
  },
  {
    id: "business.reference_reuse",
    question: "What does a second virtual account of the same reference answer?",
    default: "409 `duplicate_reference`.",
    reason: "The interface calls the reference unique.",
    switch: {
      default: "conflict",
      alternatives: {
        returned:
          "it is answered as the first one was, with the account that has the reference; nothing is made",
      },
    },
  },
] as const satisfies readonly Assumption[];
