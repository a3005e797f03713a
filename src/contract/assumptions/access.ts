import { controlRoutes } from "../control-routes.js";
import { type Assumption, facts } from "./assumption.js";

/** Interface: "Authentication" and "Account": keys, plans and charging. */
export const accessRows = [
  {
    id: "keys",
    question: "What does an API key look like, and how do live keys differ from test keys?",
    default: facts(
      "Any key of 8 to 128 visible ASCII characters is valid; the first request with a key creates its account.",
      "A key that contains `live` as a word, delimited by hyphens, underscores or the ends of the key, is a live key. Any other key is a test key.",
      "No operation issues, rotates or scopes keys.",
      "A key that ends in `_invalid` or `_revoked` gets 401 `invalid_api_key`.",
    ),
    reason: "Payment APIs commonly put the mode into the key, and tests need keys without a sign-up.",
  },
  {
    id: "session_token",
    question: "How is the dashboard's session token obtained, and which claims does it have?",
    default: facts(
      `\`${controlRoutes.createSessionToken}\` issues one; clients send it as \`Authorization: Bearer\`.`,
      'It is a JWT (HS256) with `iss`, `sub` (the account id), `aud` "dashboard", `iat` and `exp`, one hour after `iat`.',
      "The token determines account and mode; X-Service-Key is not required and is ignored.",
    ),
    reason: "These are the registered claims of a JWT, and one hour is a common lifetime of a session.",
  },
  {
    id: "plans",
    question: "Which plans are there, and which plan does an account have?",
    default:
      "`starter`, `growth` and `business`, from lowest to highest; an account has `business` until it is changed.",
    reason: "The interface says Growth or above and Business or above, so there is a plan below Growth.",
  },
  {
    id: "charging",
    question: "When is a priced call charged?",
    default: facts(
      "Every 2xx reply is charged at list price in both modes, including `not_found` and `no_match`.",
      "A 4xx or 5xx reply costs nothing and does not use up a free allowance.",
      "A refund of a failed delivery raises the balance; the reply of the call keeps the `cost` that was charged.",
      "An account's wallet starts with NGN 1,000,000 of play money; it is separate from the business balance.",
      "A call that the wallet cannot pay for gets 402 `insufficient_balance`.",
    ),
    reason: "Lookups are commonly billed per completed query, and a refused call was not carried out.",
  },
  {
    id: "charging.test_keys",
    question: "Do calls on a test key cost something?",
    default:
      "They are paid from the wallet, whose money is play money, so that a client meets every refusal.",
    reason:
      "The interface says that test keys return the documented shape and move no real money, and excepts no call from 402.",
    switch: {
      default: "debited",
      alternatives: {
        free: "replies show the `cost`, and the wallet of a test key neither falls nor rises, so that no call is refused for it",
      },
    },
  },
] as const satisfies readonly Assumption[];
