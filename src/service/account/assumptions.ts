import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Account": balance, usage and pricing. */
export const accountRows = [
  {
    id: "balance",
    question: "When is the balance low, and what is `free_tier_remaining`?",
    default: facts(
      "`low_balance` is true below NGN 1,000.",
      "`free_tier_remaining` starts at the account's monthly allowance, 0 by default, and is reset on the first of each month.",
      "While it is above 0, a call of one of the five number lookups costs 0 and lowers it by one.",
    ),
    reason:
      "The interface describes it as calls left this month, and the number lookups are billed per call.",
  },
  {
    id: "usage",
    question: "What does the usage history look like?",
    default: facts(
      "`{from,to,currency,total_calls,total_cost,items:[{date,type,count,cost}]}`, with one item per day and type.",
      "Dates are UTC and inclusive; `from` after `to` gets 400 `validation_error`.",
    ),
    reason: "The query takes dates and prices are per type, so usage is grouped by both.",
  },
  {
    id: "pricing",
    question: "What does the pricing look like, and what do operations without a documented price cost?",
    default: facts(
      "`{currency,prices:[{type,price,unit,channel}]}`, one entry per type and `channel` (`api` or `dashboard`).",
      "`fixtures/prices.json` marks the prices that the interface does not give.",
      "Operations that the list does not have are free.",
    ),
    reason: "The interface describes the reply as the current price of each verification type.",
  },
] as const satisfies readonly Assumption[];
