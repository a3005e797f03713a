import { type Assumption, facts } from "./assumption.js";

/** Interface: "Authentication" and "Account": keys, plans, what a call costs, usage. */
export const accessRows = [
  {
    id: "keys",
    question: "What does an API key look like, and how are live and test keys told apart?",
    default: facts(
      "Any key of 8 to 128 visible characters is valid; the first request with it opens its account.",
      "A key with the word `live` between hyphens, underscores or its ends is a live key; any other is a test key.",
      "A key that ends in `_invalid` or `_revoked` gets 401 `invalid_api_key`.",
    ),
    reason: "Payment services mostly write the mode into the key, and a test needs keys without a sign-up.",
  },
  {
    id: "session_token",
    question: "How is the dashboard's session token obtained, and what are its claims?",
    default: facts(
      "`POST /_sandbox/session-token` gives one; it is sent as `Authorization: Bearer`.",
      'HS256 with `iss`, `sub` (the account id), `aud` "dashboard", `iat` and `exp`, one hour later.',
      "Account and mode are the token's; X-Service-Key is not needed and ignored.",
    ),
    reason: "Those are the registered claims of a JWT, and an hour is a common life for a dashboard session.",
  },
  {
    id: "plans",
    question: "Which plans are there, and which one does an account have?",
    default:
      "`starter`, `growth` and `business`, in that order; an account has `business` unless it is told otherwise.",
    reason: "The interface names Growth and Business with an 'or above', so something lies below them.",
  },
  {
    id: "charging",
    question: "When is a priced call charged?",
    default: facts(
      "On every 2xx at list price, in both modes, `not_found` and `no_match` included.",
      "A 4xx or 5xx costs nothing and uses up no free first call.",
      "The wallet of an account starts at NGN 1,000,000 of play money; it is not the business balance.",
      "A wallet that cannot pay gets 402 `insufficient_balance`.",
    ),
    reason: "Lookups are sold per completed query, and what is refused was not done.",
  },
  {
    id: "balance",
    question: "When is the balance low, and what does the free tier hold?",
    default: facts(
      "`low_balance` is true below NGN 1,000.",
      "`free_tier_remaining` starts at the account's monthly allowance, 0 by default, and renews on the first of the month.",
      "While it is above 0, a call of the five number lookups costs 0 and takes one.",
    ),
    reason:
      "The field is documented as calls left this month, and the number lookups are the calls sold one by one.",
  },
  {
    id: "usage",
    question: "What does the usage history look like?",
    default:
      "`{from,to,currency,total_calls,total_cost,items:[{date,type,count,cost}]}`, one item for each day and type.",
    reason:
      "The query takes whole days and the pricing is by type, so days and types are what it can group by.",
  },
  {
    id: "pricing",
    question: "What does the pricing look like, and what do operations cost whose price is not given?",
    default: facts(
      "`{currency,prices:[{type,price,unit}]}`.",
      "The prices that the interface does not give are marked in `fixtures/prices.json`.",
    ),
    reason: "The interface describes it as the current pricing of each verification type.",
  },
] as const satisfies readonly Assumption[];
