import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toKobo, toNaira } from "../../src/contract/money.js";
import { fromIso, maxDurationMs, parseDuration, toIso } from "../../src/time/time.js";
import { accountId } from "../../src/world/account/account-id.js";
import { propertyRuns } from "../support/repetitions.js";

describe("a duration", () => {
  test.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["24h", 86_400_000],
    ["2d", 172_800_000],
    ["1.5h", 5_400_000],
    ["0s", 0],
    ["1m1ms", 60_001],
    ["36525d", maxDurationMs],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(["", "90", "s", "-1s", "1 s", "1h 30m", "1w", "1e3s", "1.s", ".5s", "+1s", "36526d", "1s\n"])(
    "%j is not valid",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  test("is the sum of its parts", () => {
    const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    const part = fc.tuple(fc.nat({ max: 400 }), fc.constantFrom(...(Object.keys(units) as ["ms"])));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([amount, unit]) => `${amount}${unit}`).join("");
        expect(parseDuration(text)).toBe(
          parts.reduce((sum, [amount, unit]) => sum + amount * units[unit], 0),
        );
      }),
    );
  });

  test("of many digits is parsed quickly", () => {
    expect(parseDuration(`${"9".repeat(100_000)}x`)).toBeNull();
  });
});

describe("money", () => {
  test("of up to two decimals is converted exactly in both directions", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (kobo) => {
        expect(toKobo(toNaira(kobo))).toBe(kobo);
        expect(toKobo(Number(`${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, "0")}`))).toBe(kobo);
      }),
      propertyRuns(2_000, 100_000),
    );
  });

  test.each([0.001, 1.005, 2_000.300_01, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "%d naira is not a whole number of kobo, or not exactly representable",
    (naira) => {
      expect(toKobo(naira)).toBeNull();
    },
  );

  test.each([
    [0.1 + 0.2, 30],
    [2_000.300_000_000_000_2, 200_030],
  ])("%d naira, which the arithmetic of a client leaves, are rounded to %i kobo", (naira, kobo) => {
    expect(toKobo(naira)).toBe(kobo);
  });
});

describe("an instant", () => {
  test("is parsed with its time zone", () => {
    expect(fromIso("2026-01-31T09:00:00+01:00")).toBe(fromIso("2026-01-31T08:00:00Z"));
    expect(toIso(fromIso("2026-01-31") as number)).toBe("2026-01-31T00:00:00.000Z");
  });

  test.each(["", "tomorrow", "2026-13-01", "2026-01-31T09:00:00", "31.01.2026", "2026-02-30T00:00:00Z", "0"])(
    "%j is not valid",
    (text) => {
      expect(fromIso(text)).toBeNull();
    },
  );
});

test("an account id has 80 bits of its key's hash, in base32", () => {
  fc.assert(
    fc.property(fc.string(), (key) => {
      expect(accountId(key)).toMatch(/^acct_[a-z2-7]{16}$/);
      expect(accountId(key)).not.toBe(accountId(`${key}x`));
    }),
  );
});
