import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Business payments". */
export const businessRows = [
  {
    id: "business.status",
    question: "Which statuses does the business overview have?",
    default: "`setup_required` and `active`.",
    reason: "Nothing else works until the profile is saved.",
  },
  {
    id: "business.payments",
    question: "Which transitions does a payment have, and which amounts count towards what?",
    default: facts(
      "Transitions: pending → success, held or failed; held → success or failed; failed → success or held.",
      "`method` is `transfer` or `card`; `virtual_account_id` is null for a card, `paid_at` until the payment is paid, and `payer_name` if the payer is unknown.",
      "A held payment has hold reasons (limit, issue) and stays held until none is left. One that fails while it is held sends payment.failed alone, and its issue ends with it.",
      "An issue can occur while a payment is pending, success or held.",
      "A declined card fails the payment and sends payment.failed; another card on the same checkout can take it from failed to success, or to held if it exceeds the receive limit.",
      "Unpaid charges are listed as pending. The status filter takes success, held and failed; any other value is refused with 400.",
      "`received` is the gross total of successful payments and counts towards the receive limit; refunds do not lower it. `limit` stays the same once the certificate is verified, and no longer applies.",
      "A payment above `remaining` is held. Its release sends payment.received and starts its 24 hours.",
      "`held` is the gross amount of held payments; their fee is charged once they are released.",
      "Transfers to a virtual account send payment.received, as card payments do.",
      "payment.settled is sent after the 24 hours.",
      "`fees_charged` includes payout fees and excludes returned fees.",
      "A second declined card does not send payment.failed again; a payment that succeeds again after it failed is received again.",
      "A payment with an issue does not count towards `received`; if it exceeds the limit once the issue is resolved, it is held for the limit.",
      "An issue does not extend the 24 hours of a payment that was already successful.",
    ),
    reason:
      "These are the fewest rules that satisfy every statement of the interface on holds, limits and the 24 hours.",
  },
  {
    id: "business.transfers",
    question: "Which amounts can a simulated transfer have?",
    default: facts(
      "From NGN 0.01 to NGN 1,000,000,000. The range of a charge does not apply to transfers.",
      "The fee of a transfer of less than NGN 50 is its whole amount.",
    ),
    reason:
      "Banks transfer small amounts too, a fee cannot exceed the payment, and amounts above the receive limit must be possible.",
  },
  {
    id: "business.amounts",
    question:
      "What happens to an amount with more than two decimals, and how is the fee of 1 percent rounded?",
    default: facts(
      "400 `amount_not_in_kobo`, or `amount_out_of_range` if it is outside the range too.",
      "What the arithmetic of a client leaves, less than a millionth of a naira, is rounded: 2000.3000000000002 is 2000.3.",
      "The fee is rounded half up to the kobo. `fee` and `net` of a payment that is not paid yet are those that it will have.",
    ),
    reason: "The kobo is the smallest unit, and rounding what a client asks for would hide its mistake.",
  },
  {
    id: "business.virtual_accounts",
    question:
      "What do `payments` and `total_received` of a listed virtual account count, and when is an account inactive?",
    default: facts(
      "Successful payments and their gross amounts; a held payment counts once it is released.",
      "An account is active until the move `deactivate`; a transfer to an inactive account gets 409 `invalid_state`.",
    ),
    reason: "`received` of the overview counts the same payments, and no operation deactivates an account.",
  },
  {
    id: "business.events",
    question: "What does the activity log contain?",
    default:
      "The newest 10,000 events of every business kind in the event table, each with a readable message.",
    reason: "The interface says that the same kinds are listed.",
  },
  {
    id: "business.cards",
    question: "Which cards does the checkout accept?",
    default: facts(
      "Only the test cards of `fixtures/test-cards.json`; the last four digits of a card are stored.",
      "After a declined card the charge stays open for another one; a paid charge accepts no card.",
    ),
    reason: "Real card numbers must never be entered into a sandbox.",
  },
  {
    id: "business.payout",
    question: "What does a payout cost, how much can be paid out, and how long does it take?",
    default: facts(
      "The fee is NGN 50; `you_receive` is the amount less the fee.",
      "The amount is from NGN 50.01, since the fee has to leave something, to NGN 1,000,000,000; others get 400 `amount_out_of_range`.",
      "More than the available balance gets 422 `insufficient_available_balance`.",
      "It is paid after 1 minute.",
      "The overview has the additional fields `available` and `pending`.",
    ),
    reason:
      "The interface mentions a fee and available and pending amounts; NGN 50 is its flat fee for payments.",
  },
  {
    id: "business.refund",
    question: "Which payments can be refunded, up to which amount, and from which balance?",
    default: facts(
      "Only successful payments; others are refused with `not_refundable`.",
      "Refunds of a payment cannot exceed its amount; requested refunds count as well.",
      "Without `amount`, all that is left of the payment is refunded.",
      "It is processed after 1 minute, and the money moves then: from `pending` if the payment is not settled, otherwise from `available`.",
      "If the payment is held by then, the money comes out of `held`; if it has failed by then, the refund fails.",
      "The returned fee is proportional to the refunded part, rounded half up to the kobo across all partial refunds, so that they add up to the fee.",
    ),
    reason: "The refunded amount comes off the balance on approval, and the fee on that part is returned.",
  },
  {
    id: "business.refund_balance",
    question: "What happens to a refund if the money of its payment has been paid out?",
    default: facts(
      "A refund of a settled payment that takes more than `available` gets 422 `insufficient_available_balance`.",
      "If the money is gone by the time the refund is processed, the refund fails.",
      "`available` becomes negative only if an issue holds a payment whose money has been paid out.",
    ),
    reason: "A business cannot give back what it does not have, and the interface describes no overdraft.",
    switch: {
      default: "refused",
      alternatives: {
        negative: "the refund is accepted and processed, and `available` and `balance` can become negative",
      },
    },
  },
  {
    id: "business.payout_account",
    question: "What is the reply to setting the payout account?",
    default: facts(
      "`{bank_code,bank_name,account_number,account_name,updated_at}`.",
      "An unknown account gets 422 `account_not_resolved`.",
    ),
    reason: "The account name is checked with the bank, so the reply can contain it.",
  },
  {
    id: "business.profile",
    question: "What happens when the profile is saved again?",
    default:
      "The whole profile is replaced; existing account numbers keep their names, and `contact_phone` is stored as sent.",
    reason: "PUT replaces a resource, and banks do not rename accounts on their own.",
  },
  {
    id: "business.reference",
    question: "What happens if no reference is sent?",
    default: "One is generated.",
    reason: "Every reply in the interface has a reference.",
  },
  {
    id: "business.reference_reuse",
    question: "What is the reply to creating a second virtual account with the same reference?",
    default: "409 `duplicate_reference`.",
    reason: "The interface says that the reference is unique.",
    switch: {
      default: "conflict",
      alternatives: {
        returned: "the same reply as to the first request, with the existing account; nothing is created",
      },
    },
  },
] as const satisfies readonly Assumption[];
