/** The record that a command is about. */
import fc from "fast-check";

export interface Place {
  /** `payment 2`, counted from 0, oldest first. */
  named(what: string): string;
  /** Null for an id that does not exist. */
  in(count: number): number | null;
  /** Returns whether it exists if there are `count` records. */
  isIn(count: number): boolean;
}

const newest: Place = {
  named: (what) => `the newest ${what}`,
  in: (count) => count - 1,
  isIn: (count) => count > 0,
};

const nobody: Place = { named: (what) => `an unknown ${what}`, in: () => null, isIn: () => true };

/** Wraps around after the last record. */
const numbered = (index: number): Place => ({
  named: (what) => `${what} ${index}`,
  in: (count) => index % count,
  isIn: (count) => count > 0,
});

export const oldest = numbered(0);

export const places: fc.Arbitrary<Place> = fc.oneof(
  { weight: 12, arbitrary: fc.nat(4).map(numbered) },
  { weight: 12, arbitrary: fc.constant(newest) },
  { weight: 1, arbitrary: fc.constant(nobody) },
);

export const pick = <T>(list: readonly T[], place: Place): T | undefined => list[place.in(list.length) ?? -1];
