/** Values for "Try it out", by field name. They belong to one person whom all endpoints know, so that calls succeed. */
import fixture from "../../../fixtures/people.json" with { type: "json" };

const [person] = fixture.people;
const account = person?.bank_accounts[0];

export const samples: Readonly<Record<string, unknown>> = {
  first_name: person?.first_name,
  last_name: person?.last_name,
  full_name: `${person?.first_name} ${person?.last_name}`,
  bvn: person?.bvn,
  nin: person?.nin,
  licence_number: person?.licence?.number,
  bank_code: account?.bank_code,
  account_number: account?.account_number,
  to: person?.phone_number.replace("+", ""),
  code: "123456",
  expected: "Ngozi",
  latitude: 6.6018,
  longitude: 3.3515,
  accuracy_m: 20,
  amount: 5000,
  company_name: "Ada Stores",
  text: "The market in Yaba opens before seven. Women carry tomatoes past the rail line, and by noon the best of them are gone.",
};
