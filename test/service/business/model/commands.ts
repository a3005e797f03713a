/** Every command on one screen, with its weight. */
import fc from "fast-check";
import { advances, certificates, movesOf, restarts, snapshots } from "./by-hand.js";
import {
  accounts,
  charges,
  paymentPairs,
  payments,
  payoutAccounts,
  payoutPairs,
  payouts,
  profiles,
  refundPairs,
  refunds,
  transfersIn,
} from "./requests.js";
import { atOnce, type Command, type Request, request } from "./step.js";

const single = (requests: fc.Arbitrary<Request>): fc.Arbitrary<Command> => requests.map(request);
const twice = (pairs: fc.Arbitrary<readonly [Request, Request]>): fc.Arbitrary<Command> =>
  pairs.map(([one, other]) => atOnce(one, other));

/** `restarting` is the weight of restarts. */
export const anyCommand = (restarting: number): fc.Arbitrary<Command> =>
  fc.oneof(
    { weight: 1, arbitrary: single(profiles) },
    { weight: 2, arbitrary: single(accounts) },
    { weight: 14, arbitrary: single(transfersIn) },
    { weight: 6, arbitrary: single(charges) },
    { weight: 8, arbitrary: single(payments) },
    { weight: 2, arbitrary: twice(paymentPairs) },
    { weight: 1, arbitrary: single(payoutAccounts) },
    { weight: 8, arbitrary: single(payouts) },
    { weight: 2, arbitrary: twice(payoutPairs) },
    { weight: 12, arbitrary: single(refunds) },
    { weight: 2, arbitrary: twice(refundPairs) },
    { weight: 18, arbitrary: single(movesOf("payment")) },
    { weight: 3, arbitrary: single(movesOf("payout")) },
    { weight: 3, arbitrary: single(movesOf("refund")) },
    { weight: 2, arbitrary: single(movesOf("charge")) },
    { weight: 2, arbitrary: single(movesOf("virtual_account")) },
    { weight: 3, arbitrary: certificates },
    { weight: 12, arbitrary: advances },
    { weight: 2, arbitrary: snapshots },
    { weight: restarting, arbitrary: restarts },
  );
