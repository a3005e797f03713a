/** A choice of people whose numbers the lookups know. */
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ReplyOf } from "../../../../contract/operation.js";
import type { listPeople } from "../../../../control/people.js";
import type { ApiOperation } from "../../api/contract.js";
import { call } from "../../api/control.js";
import { SelectField } from "../../pieces/field.js";
import { useResource } from "../../state/resource.js";
import { changeBody } from "./form-values.js";
import type { FormValues } from "./send.js";

type Person = ReplyOf<typeof listPeople>["items"][number];

/** Fields of requests by which lookups find a person. */
const numbers = ["bvn", "nin", "licence_number", "account_number", "full_name"];

/** Returns whether an operation looks a person up. */
export const takesPerson = ({ bodyType, body, credential }: ApiOperation): boolean =>
  bodyType === "application/json" &&
  credential === "key" &&
  numbers.some((name) => name in (body?.properties ?? {}));

/** Returns what a person has, by the names of request fields. */
function fieldsOf({ licence, bank_accounts: [bankAccount], ...person }: Person): Record<string, unknown> {
  return {
    ...person,
    full_name: `${person.first_name} ${person.last_name}`,
    licence_number: licence?.number,
    bank_code: bankAccount?.bank_code,
    account_number: bankAccount?.account_number,
  };
}

/** Fills the body in with the fields of the chosen person. */
export function SamplePerson({
  operation: { body },
  values,
}: {
  operation: ApiOperation;
  values: FormValues;
}) {
  const read = useResource(() => call("listPeople"));
  const chosen = useMemo(() => signal(""), []);
  const people = (read.data.value?.items ?? []).map(
    (person) => [`${person.first_name} ${person.last_name}`, fieldsOf(person)] as const,
  );
  useEffect(() => {
    const [, fields = {}] = people[Number(chosen.value)] ?? [];
    if (chosen.value === "") return;
    const names = Object.keys(body?.properties ?? {}).filter((name) => fields[name] != null);
    changeBody(values, Object.fromEntries(names.map((name) => [name, fields[name]])));
  }, [chosen.value]);
  const needed = body?.required ?? [];
  const options = people.flatMap(([name, fields], index) =>
    needed.some((field) => numbers.includes(field) && fields[field] === undefined)
      ? []
      : [[String(index), name] as const],
  );
  return (
    <SelectField
      label="Sample person"
      value={chosen}
      options={[["", "Keep what is filled in"], ...options]}
    />
  );
}
