/** Amounts for the commands: near every boundary of the interface and of the current figures, and random ones. */
import fc from "fast-check";
import { formatNaira, type Kobo } from "./money.js";

/** Returns an amount in kobo near `room`, which is what the limit, balance or payment allows. Fractions of a kobo are refused. */
export interface Amount {
  said: string;
  of(room: Kobo): Kobo;
}

export const exactly = (kobo: Kobo): Amount => ({ said: `NGN ${formatNaira(kobo)}`, of: () => kobo });
const relative = (said: string, of: Amount["of"]): Amount => ({ said, of });

const among = (...naira: readonly number[]): fc.Arbitrary<Amount> =>
  fc.constantFrom(...naira).map((amount) => exactly(Math.round(amount * 1_000) / 10));

const within = (least: Kobo, most: Kobo): fc.Arbitrary<Amount> =>
  fc.integer({ min: least, max: most }).map(exactly);

/** Returns a multiple of NGN 100 plus kobo that select an outcome. */
const withOutcome = (...kobo: readonly Kobo[]): fc.Arbitrary<Amount> =>
  fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(...kobo)).map(([hundreds, rest]) => {
    return exactly(hundreds * 100_00 + rest);
  });

const around = (what: string): fc.Arbitrary<Amount> =>
  fc.constantFrom(
    relative(`all of ${what}`, (room) => room),
    relative(`all of ${what} and a kobo`, (room) => room + 1),
    relative(`all of ${what} but a kobo`, (room) => room - 1),
    relative(`half of ${what}`, (room) => Math.floor(room / 2)),
  );

const wrong = among(0, -5, 0.001, 100.005, 1_000_000_000.01);

/** Amounts that customers pay. */
export const paymentAmounts: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 5, arbitrary: among(100, 4_999.99, 5_000, 5_000.01, 5_000.49, 5_000.5, 5_049.5, 12_345.67) },
  { weight: 4, arbitrary: withOutcome(5, 57, 59, 68) },
  { weight: 4, arbitrary: within(100_00, 20_000_00) },
  { weight: 4, arbitrary: around("what may be received") },
  {
    weight: 2,
    arbitrary: among(0.01, 49.99, 50, 99.99, 2_500_000, 4_999_999.99, 5_000_000, 5_000_000.01, 1_000_000_000),
  },
  { weight: 1, arbitrary: wrong },
);

export const payoutAmounts: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 4, arbitrary: around("what is available") },
  { weight: 3, arbitrary: withOutcome(5, 57, 59, 68) },
  { weight: 3, arbitrary: within(50_00, 5_000_00) },
  { weight: 2, arbitrary: among(50, 50.01, 100.05, 100.57, 100.68) },
  { weight: 1, arbitrary: wrong },
);

/** Null omits the amount, which requests all that is left. */
export const refundAmounts: fc.Arbitrary<Amount | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: around("what is left of it") },
  { weight: 3, arbitrary: within(1, 3_000_00) },
  { weight: 2, arbitrary: among(0.01, 0.05, 0.57, 0.68, 33.33, 100.05, 100.57, 100.68) },
  { weight: 1, arbitrary: wrong },
);
