/** Takes the people out of what went over the wire: nothing is let through but what the contract itself names. */
import { phoneLike } from "../matching/examples.js";
import { isOfType, type Shape, sample, variantFor } from "../matching/shape.js";

/** Where somebody is. */
const places = new Set(["latitude", "longitude"]);

const phones = new Set(["phone", "phone_number", "contact_phone", "to"]);

/** Texts of the service's own that quote nobody. */
const ownWords = new Set([
  "bank_name",
  "category",
  "gender",
  "licence_class",
  "licence_status",
  "precision",
  "severity",
  "state_of_issue",
  "title",
  "type",
  "unit",
]);

const isId = (field: string, value: string): boolean =>
  /^(?:id|\w+_id)$/.test(field) && /^[a-z]{2,6}_[a-z0-9]{6,}$/.test(value);

/** Dates of birth are people's; those of periods are not. */
const isNeutral = ({ enum: values, const: only, format = "" }: Shape, field: string): boolean =>
  values !== undefined ||
  only !== undefined ||
  format === "date-time" ||
  ownWords.has(field) ||
  (format === "date" && field !== "date_of_birth");

const none: ReadonlySet<string> = new Set();

/**
 * The value with an example of its field in place of each text. Choices, times, amounts and ids stay; fields that the
 * schema does not know are left out. What is at a `wrong` path, such as `image.link`, is wrong still, in nobody's words.
 */
export function withoutPeople(whole: Shape, value: unknown, wrong = none, path = ""): unknown {
  if (wrong.has(path)) return wrongAs(value);
  const shape = variantFor(whole, value);
  if (Array.isArray(value)) return value.map((entry) => withoutPeople(shape.items ?? {}, entry, wrong, path));
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).flatMap(([name, inner]) => {
      const own = shape.properties?.[name];
      return own ? [[name, withoutPeople(own, inner, wrong, path === "" ? name : `${path}.${name}`)]] : [];
    });
    return Object.fromEntries(fields);
  }
  const field = path.slice(path.lastIndexOf(".") + 1);
  return isAnybodys(shape, field, value) ? value : exampleFor(whole, field, value);
}

function isAnybodys(shape: Shape, field: string, value: unknown): boolean {
  if (typeof value === "string") return isNeutral(shape, field) || isId(field, value);
  return typeof value !== "number" || (isOfType(shape, value) && !places.has(field));
}

/** Phone numbers keep their notation. */
const exampleFor = (whole: Shape, field: string, value: unknown): unknown =>
  (phones.has(field) && phoneLike(String(value))) || sample(whole, { field });

/** What is too short to be anybody's stays as it was. */
function wrongAs(value: unknown): unknown {
  if (typeof value === "string") return value.length > 3 ? "invalid" : value;
  return isSmall(value) ? value : unnamed(value);
}

const isSmall = (value: unknown): boolean =>
  value === null || typeof value === "boolean" || (typeof value === "number" && Math.abs(value) < 1e9);

/** Ids and choices stay. */
export const paramWithoutPeople = (shape: Shape, field: string, value: string): string =>
  isNeutral(shape, field) || isId("id", value) ? value : "unknown_id";

/** Of a field that the contract does not know, that it was there and of which type. */
export function unnamed(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "object" && value !== null) return {};
  const anybodys: Readonly<Record<string, unknown>> = { string: "text", number: 1, boolean: true };
  return anybodys[typeof value] ?? null;
}
