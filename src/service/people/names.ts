/** Draws Nigerian names. Load it with `import()`: faker's lists take longer to load than the rest of the program. */
import { faker } from "@faker-js/faker/locale/en_NG";

export interface DrawnNames {
  readonly first_name: string;
  readonly middle_name: string | null;
  readonly last_name: string;
}

/** One person in three has no middle name. */
const peoplePerMissingMiddleName = 3;

/** Draws the names of a person. The same seed and gender give the same names. */
export function drawNames(seed: number, gender: "female" | "male"): DrawnNames {
  faker.seed(seed);
  const last_name = drawLastName();
  const hasNoMiddleName = faker.number.int(peoplePerMissingMiddleName - 1) === 0;
  const first_name = drawFirstName(gender);
  const middle_name = drawFirstName(gender);
  return { first_name, middle_name: hasNoMiddleName ? null : middle_name, last_name };
}

/** Placeholder in faker's list of names. */
const placeholderName = "Sname";

function drawFirstName(gender: "female" | "male"): string {
  const name = faker.person.firstName(gender);
  return name === placeholderName ? drawFirstName(gender) : name;
}

/** Draws a last name with every part capitalised; faker has "Ajose-adeogun". */
const drawLastName = (): string =>
  faker.person.lastName().replace(/-\p{Ll}/gu, (letter) => letter.toUpperCase());
