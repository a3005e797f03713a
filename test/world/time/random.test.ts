import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../src/time/random.js";

const draw = (random: Random) => [random.bits(), random.id("phv_"), random.digits(6), random.integer(1, 6)];

describe("seeded randomness", () => {
  test("gives the same values for the same seed, on any machine and in any version", () => {
    // A change here changes every id and code that users may have hard-coded in tests.
    expect(Random.seeded("standin", "acct_1").id("phv_")).toBe("phv_2pvqawd03a12xantrt3a");
  });

  test("gives different values for another seed, account or purpose", () => {
    const all = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", "c"], ["a", ""]].map((parts) =>
      Random.seeded(...parts).letters(20),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test("continues from a state that was stored as JSON", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 50 }), (seed, drawn) => {
        const random = Random.seeded(seed);
        for (let i = 0; i < drawn; i++) random.bits();
        const kept = new Random(JSON.parse(JSON.stringify(random.state)));
        expect(draw(kept)).toEqual(draw(random));
      }),
    );
  });

  test("stays within the given bounds and reaches both", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -5, max: 5 }), fc.nat({ max: 3 }), (seed, least, width) => {
        const random = Random.seeded(seed);
        const drawn = new Set(Array.from({ length: 200 }, () => random.integer(least, least + width)));
        expect([...drawn].sort((one, other) => one - other)).toEqual(
          Array.from({ length: width + 1 }, (_, i) => least + i),
        );
      }),
    );
  });

  test("generates codes of decimal digits, never all zeros, and unique ids", () => {
    const random = Random.seeded("standin");
    for (let i = 0; i < 1000; i++) expect(random.digits(1)).toMatch(/^[1-9]$/);
    expect(random.digits(6)).toMatch(/^\d{6}$/);
    expect(new Set(Array.from({ length: 1000 }, () => random.id("x_"))).size).toBe(1000);
  });
});
