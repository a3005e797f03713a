/** Draws the details of invented people other than names: numbers, dates and an address. */
import type { Random } from "../../time/random.js";
import { nubanCheckDigit } from "../banks.js";
import type { BankAccount, Licence } from "./person.js";
import { isTestNumber } from "./reserved-values.js";

/** Codes of the banks that most people use. */
export const commonBanks = ["058", "011", "057", "044", "033", "214", "232", "035", "221", "070"] as const;

/** Prefixes of the four mobile networks, without the leading zero. */
const mobilePrefixes =
  "703 706 803 806 810 813 816 903 906 705 805 807 815 905 708 802 808 812 902 809 818 909";

/** Towns of the gazetteer, each with its state and the prefix of the licences that its office issues. */
const towns = [
  ["Ikeja", "Lagos", "KJA"],
  ["Surulere", "Lagos", "LSR"],
  ["Ibadan", "Oyo", "BDJ"],
  ["Abeokuta", "Ogun", "AKM"],
  ["Akure", "Ondo", "AKR"],
  ["Benin City", "Edo", "BEN"],
  ["Warri", "Delta", "WWR"],
  ["Port Harcourt", "Rivers", "PHC"],
  ["Uyo", "Akwa Ibom", "UYY"],
  ["Calabar", "Cross River", "CAL"],
  ["Aba", "Abia", "ABA"],
  ["Owerri", "Imo", "WER"],
  ["Awka", "Anambra", "AWK"],
  ["Enugu", "Enugu", "ENU"],
  ["Makurdi", "Benue", "MKD"],
  ["Ilorin", "Kwara", "LRN"],
  ["Jos", "Plateau", "JJN"],
  ["Kaduna", "Kaduna", "KAD"],
  ["Kano", "Kano", "KMC"],
] as const;

/** Street names that exist in every town. */
const streets = [
  "Adeola Close",
  "Ahmadu Bello Way",
  "Awolowo Road",
  "Church Street",
  "Herbert Macaulay Street",
  "Hospital Road",
  "Market Road",
  "Mission Road",
  "Murtala Mohammed Way",
  "Nnamdi Azikiwe Street",
  "Palm Avenue",
  "Station Road",
  "Tafawa Balewa Street",
  "Unity Crescent",
] as const;

const licenceClasses = ["A", "B", "B", "B", "C", "D", "E"] as const;

/** Years of birth: adults at any time that a clock is likely to show. */
const birthYears = { from: 1955, to: 1999 } as const;
/** Years of expiry of licences. */
const expiryYears = { from: 2031, to: 2036 } as const;

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T;

/** Draws until the number is not a test value. */
function drawUnreserved(draw: () => string): string {
  for (;;) {
    const number = draw();
    if (!isTestNumber(number)) return number;
  }
}

function drawDate(random: Random, { from, to }: { from: number; to: number }): string {
  const year = random.integer(from, to);
  const [month, day] = [random.integer(1, 12), random.integer(1, 28)];
  return [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
}

export interface DrawnNumbers {
  date_of_birth: string;
  phone_number: string;
  bvn: string;
  nin: string;
  account: Pick<BankAccount, "bank_code" | "account_number">;
}

export function drawNumbers(random: Random): DrawnNumbers {
  const bank_code = pick(random, commonBanks);
  return {
    date_of_birth: drawDate(random, birthYears),
    phone_number: drawUnreserved(() => `+234${pick(random, mobilePrefixes.split(" "))}${random.digits(7)}`),
    bvn: drawUnreserved(() => `22${random.digits(9)}`),
    // A number that starts with 0 or 2 would be taken for a phone number or a BVN.
    nin: drawUnreserved(() => `${pick(random, [..."13456789"])}${random.digits(10)}`),
    account: { bank_code, account_number: drawUnreserved(() => drawNuban(random, bank_code)) },
  };
}

function drawNuban(random: Random, bank_code: string): string {
  const serial = random.digits(9);
  return serial + nubanCheckDigit(bank_code, serial);
}

/** Draws an address, and a licence issued by the office of that town. */
export function drawAddress(random: Random): { address: string; licence: Licence } {
  const [town, state, office] = pick(random, towns);
  const house = random.integer(1, 120);
  const street = pick(random, streets);
  return {
    address: [...new Set([`${house} ${street}`, town, state])].join(", "),
    licence: {
      number: drawUnreserved(
        () => `${office}${random.digits(5)}A${pick(random, [..."ABCD"])}${random.digits(2)}`,
      ),
      status: "valid",
      class: pick(random, licenceClasses),
      state_of_issue: state,
      expiry_date: drawDate(random, expiryYears),
    },
  };
}
