import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveAssumptions } from "../../src/service/assumptions.js";
import { bankOf, banks, isBankCode, isNuban, nubanCheckDigit } from "../../src/service/banks.js";

describe("a bank", () => {
  test("is found by its central-bank code and by its inter-bank code", () => {
    expect(bankOf("058").name).toBe("Guaranty Trust Bank");
    expect(bankOf("000013")).toBe(bankOf("058"));
    expect(bankOf("50211").name).toBe("Kuda Microfinance Bank");
    expect(isBankCode("058", resolveAssumptions())).toBe(true);
    expect(isBankCode("999", resolveAssumptions())).toBe(false);
  });

  test.each(["090270", "50383"])("of the unknown code %s is named after it", (code) => {
    expect(isBankCode(code, resolveAssumptions())).toBe(true);
    expect(bankOf(code)).toMatchObject({ code, name: `Bank ${code}` });
  });

  test("has codes that no other bank has", () => {
    const codes = banks.flatMap(({ code, other_codes }) => [code, ...other_codes]);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^\d{3,6}$/);
  });
});

describe("an account number", () => {
  test.each(["0000014579", "0000000220"])(
    "%s is right at First Bank and wrong with its last digit changed",
    (number) => {
      expect(isNuban("011", number)).toBe(true);
      expect(isNuban("011", number.slice(0, 9) + ((Number(number[9]) + 1) % 10))).toBe(false);
    },
  );

  test("has exactly one valid last digit for its serial at any bank", () => {
    const bank = fc.constantFrom(...banks);
    const serial = fc.stringMatching(/^\d{9}$/);
    fc.assert(
      fc.property(bank, serial, ({ code }, nine) => {
        const right = [..."0123456789"].filter((digit) => isNuban(code, nine + digit));
        expect(right).toEqual([String(nubanCheckDigit(code, nine))]);
      }),
    );
  });

  test("has the same check digit under either code of its bank", () => {
    expect(nubanCheckDigit("000016", "000001457")).toBe(9);
  });

  test.each(["", "123", "00000145790", "000001457x"])(
    "%j is not an account number, which has ten digits",
    (number) => {
      expect(isNuban("011", number)).toBe(false);
    },
  );
});
