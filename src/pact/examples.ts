/** Example values and requests. Personal data is taken from the first documented test person. */

import fixture from "../../fixtures/people.json" with { type: "json" };
import type { AnyOperation } from "../contract/operation.js";
import { exampleOf, type JsonSchema, toJsonSchema } from "../contract/schema-walk.js";
import type { Fields } from "../scenarios/given-sections.js";

const [person] = fixture.people;
const [bank] = person?.bank_accounts ?? [];
const name = `${person?.first_name} ${person?.last_name}`;
const digits = String(person?.phone_number).slice(1);

const examples: Readonly<Record<string, unknown>> = {
  bvn: person?.bvn,
  nin: person?.nin,
  licence_number: person?.licence?.number,
  first_name: person?.first_name,
  last_name: person?.last_name,
  full_name: name,
  customer_name: name,
  display_name: name,
  payer_name: name,
  identity: "user-204",
  room_name: "consultation-17",
  label: "Main line",
  reason: "Returned goods",
  customer_email: "adaeze.okafor@example.com",
  date_of_birth: person?.date_of_birth,
  account_number: bank?.account_number,
  account_name: bank?.account_name,
  bank_code: bank?.bank_code,
  address: person?.address,
  submitted: person?.address,
  formatted: person?.address,
  // The centre of Ikeja.
  latitude: 6.6018,
  longitude: 3.3515,
  to: digits,
  code: "000000",
  template: "{code} is your code",
  expected: "Ngozi",
  reference: "order-1042",
  amount: 5_000,
};

const valueFor = (field: string): unknown => (Object.hasOwn(examples, field) ? examples[field] : undefined);

/** Returns a value that the schema accepts; `field` is the name of the field that it is for. */
export const example = (schema: JsonSchema, field?: string): unknown =>
  exampleOf(schema, { ...(field === undefined ? {} : { field }), valueFor });

/** Returns an example of a request's body: its required fields. Null if the operation has none or it may be left out. */
export function exampleBody({ body, bodyOptional }: AnyOperation): Fields | null {
  return !body || bodyOptional ? null : (example(toJsonSchema(body)) as Fields);
}

/** Returns an example of a request's query: its required parameters. */
export const exampleQuery = ({ query }: AnyOperation): Fields =>
  query ? (example(toJsonSchema(query)) as Fields) : {};

/** Returns the test person's phone number in the notation of another (0803…, +234803… or 234803…); null if `value` is no phone number. */
export function examplePhoneLike(value: string): string | null {
  if (!/^[+0-9][0-9 ()-]{6,}$/.test(value)) return null;
  if (value.startsWith("0")) return `0${digits.slice(3)}`;
  return value.startsWith("+") ? `+${digits}` : digits;
}
