/** Actions of a tester: legal and illegal moves of every machine, the certificate, the clock, restarts and snapshots. */
import fc from "fast-check";
import { same } from "./agreement.js";
import type { Book, Charge, Payment, Payout, Refund, VirtualAccount } from "./book.js";
import { answered, type Business, type Json, type Machine, refused } from "./business.js";
import { moveCharge } from "./checkout.js";
import { viewAccount, viewCharge, viewPayment, viewPayout, viewRefund } from "./figures.js";
import { freshWatch } from "./invariants.js";
import { movePayment, paymentMoves, verify } from "./payments.js";
import { type Place, places } from "./place.js";
import type { Done, Sim } from "./sim.js";
import { type Command, type Request, Step } from "./step.js";
import { advance } from "./time.js";
import { movePayout, moveRefund } from "./transfers.js";

const moves: Readonly<Record<Machine, readonly string[]>> = {
  payment: [...paymentMoves, "raise_issue", "resolve_issue", "resolve_issue", "release", "fail", "create"],
  payout: ["pay", "fail", "reject", "request"],
  refund: ["process", "fail", "reject", "request"],
  charge: ["pay", "create", "fail"],
  virtual_account: ["activate", "deactivate", "create"],
};

/** Returns the record's view after the move; null if the move is illegal. */
type Move = (book: Book, which: number, move: string) => Json | null;

const byHand: Readonly<Record<Machine, Move>> = {
  payment(book, which, move) {
    const payment = book.payments[which] as Payment;
    return movePayment(book, payment, move) ? viewPayment(payment) : null;
  },
  payout(book, which, move) {
    const payout = book.payouts[which] as Payout;
    return movePayout(book, payout, move) ? viewPayout(payout) : null;
  },
  refund(book, which, move) {
    const refund = book.refunds[which] as Refund;
    return moveRefund(book, refund, move) ? viewRefund(refund) : null;
  },
  charge(book, which, move) {
    const charge = book.charges[which] as Charge;
    return moveCharge(book, charge, move) ? viewCharge(book, charge) : null;
  },
  virtual_account(book, which, move) {
    const account = book.accounts[which] as VirtualAccount;
    if (move === "create" || account.active === (move === "activate")) return null;
    account.active = move === "activate";
    return viewAccount(account);
  },
};

/** A charge is paid by its move. */
const stateOf = ({ status, active }: Json): unknown =>
  status ?? (active === undefined ? "paid" : active ? "active" : "inactive");

const idsOf = (book: Book): Readonly<Record<Machine, readonly (string | null)[]>> => ({
  payment: book.payments.map(({ id }) => id),
  payout: book.payouts.map(({ id }) => id),
  refund: book.refunds.map(({ id }) => id),
  charge: book.charges.map(({ reference }) => reference),
  virtual_account: book.accounts.map(({ view }) => view.id),
});

export const move = (machine: Machine, place: Place, name: string): Request => ({
  said: `move ${place.named(machine)}: ${name}`,
  release: name === "release",
  possible: (book) => place.isIn(idsOf(book)[machine].length),
  act(book) {
    const ids = idsOf(book)[machine];
    const which = place.in(ids.length);
    const id = which === null ? "nobody_0" : String(ids[which]);
    return {
      send: (business) => business.move(machine, id, name),
      predict: (now) => {
        if (which === null) return refused("resource_not_found");
        const record = byHand[machine](now, which, name);
        return record ? answered({ state: stateOf(record), record }) : refused("invalid_state");
      },
    };
  },
});

export const movesOf = (machine: Machine): fc.Arbitrary<Request> =>
  fc.tuple(places, fc.constantFrom(...moves[machine])).map(([place, name]) => move(machine, place, name));

export const certificates: fc.Arbitrary<Command> = fc.boolean().map(
  (verified) =>
    new Step(`the certificate is ${verified ? "verified" : "not verified"}`, async ({ book }, business) => {
      await business.verify(verified);
      verify(book, verified);
      return { came: "done", books: [book] };
    }),
);

const [minute, hour] = [60_000, 3_600_000];

export const byTime = (said: string, ms: number): Command =>
  new Step(`advance by ${said}`, async ({ book }, business) => {
    await business.advance(ms);
    advance(book, ms);
    return { came: "done", books: [book] };
  });

export const advances: fc.Arbitrary<Command> = fc.oneof(
  fc
    .constantFrom(0, 1, minute - 1, minute, hour, 23 * hour, 24 * hour - 1, 24 * hour, 72 * hour)
    .map((ms) => byTime(ms % minute === 0 ? `${ms / minute} min` : `${ms} ms`, ms)),
  fc.integer({ min: 1, max: 3 * 24 * 60 }).map((minutes) => byTime(`${minutes} min`, minutes * minute)),
);

/** Expects no change, to the byte. */
export const restarts: fc.Arbitrary<Command> = fc.constant(
  new Step("restart", async ({ book }, business) => {
    const before = await business.snapshot();
    await business.restart();
    const after = await business.snapshot();
    same("the snapshot after the restart", after, before);
    same("the bytes of the snapshot after the restart", JSON.stringify(after), JSON.stringify(before));
    return { came: "the same", books: [book] };
  }),
);

export const snapshots: fc.Arbitrary<Command> = fc.constantFrom(
  new Step("take a snapshot", async (sim, business) => {
    sim.saved = { snapshot: await business.snapshot(), book: structuredClone(sim.book) };
    return { came: "taken", books: [sim.book] };
  }),
  new Step("restore the snapshot", restore, ({ saved }) => saved !== null),
);

async function restore(sim: Sim, business: Business): Promise<Done> {
  const { snapshot, book } = sim.saved as NonNullable<Sim["saved"]>;
  await business.restore(snapshot);
  sim.undone.push(...sim.watch.events);
  sim.watch = freshWatch();
  return { came: "restored", books: [structuredClone(book)], released: true };
}
