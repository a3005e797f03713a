/** A choice that filters a list. It is in the address, so that a filtered list can be linked to. */
import { route, setQuery } from "../state/route.js";

interface FilterSelectProps {
  /** Name of the parameter in the address. */
  name: string;
  label: string;
  /** Text of the choice that filters nothing. */
  all: string;
  /** Values, or values with their texts. */
  options: readonly (string | readonly [value: string, text: string])[];
  /** Whether the key / leads here. */
  isMain?: true;
}

export function FilterSelect({ name, label, all, options, isMain }: FilterSelectProps) {
  const chosen = route.value.query.get(name) ?? "";
  return (
    <select
      data-filter={isMain}
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {options.map((option) => {
        const [value, text] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        );
      })}
    </select>
  );
}
