/** The states that business payments require. */
import type { RequiredState, StateSelector } from "../../contract/required-state.js";
import { ifListFilled, type RequiredStateName, requires } from "../required-states.js";

/** Largest payout or refund that a payment is sized for, in NGN. The maximum of a payment is ten times as much. */
const maxCoveredAmount = 100_000_000;

/** Smallest possible payment, in NGN. */
const minPayment = 100;

/** The request takes the payment of the state. */
export const ofPayment = { "body.payment_id": "payment_id" };

/** Sizes the state's payment so that it covers the requested amount and the fees. */
export const covering =
  (state: RequiredStateName, from: RequiredState["from"] = {}): StateSelector =>
  ({ code, body: { amount } }) => {
    if (typeof amount !== "number" || amount <= 0) return requires(state, from);
    if (amount > maxCoveredAmount) return code === null ? null : requires(state, from);
    return requires(state, from, { amount: Math.ceil(amount * 1.02) + 20_000 });
  };

/** A refund of more than its payment needs one that is smaller. */
export const smallerPayment: StateSelector = ({ body: { amount } }) =>
  typeof amount === "number" && amount > minPayment
    ? requires("a received payment", ofPayment, { amount: minPayment })
    : null;

const paymentStates: Readonly<Record<string, RequiredStateName>> = {
  success: "a received payment",
  held: "a held payment",
  failed: "a failed payment",
};

/** The payments of a list have the status that the query asks for, and the virtual account. */
export const listedPayments: StateSelector = (exchange) => {
  const { status = "success", virtual_account_id } = exchange.query;
  const filled = ifListFilled(paymentStates[String(status)] ?? "a received payment")(exchange);
  if (virtual_account_id === undefined) return filled;
  const account = { "query.virtual_account_id": "virtual_account_id" };
  return filled.length > 0
    ? filled.map((state) => ({ ...state, from: account }))
    : requires("a virtual account", account);
};
