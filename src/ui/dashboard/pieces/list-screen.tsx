/** A screen that is a list: what filters it, its rows, which stand still while they are read, and the open item beside them. */
import type { ComponentChildren } from "preact";
import type { Resource } from "../state/resource.js";
import { route, setQuery } from "../state/route.js";
import { Loaded, Split, Toolbar } from "./layout.js";
import { StillRows, type StillRowsProps } from "./list.js";

/** What is read for a list. */
interface ListData {
  readonly items: readonly { readonly id: string }[];
}

interface ListScreenProps<D extends ListData>
  extends Omit<StillRowsProps<D["items"][number]>, "items" | "isWhole"> {
  of: Resource<D>;
  /** Maximum number of items that were asked for. If fewer came, a row that did not is gone. Default: no maximum. */
  limit?: number;
  /** Filters and actions above the list. */
  toolbar?: ComponentChildren;
  /** Returns what stands between them and the rows. */
  above?(data: D): ComponentChildren;
  /** Shown if there are no items: what is missing, and the action that fills the screen. */
  empty: ComponentChildren;
  /** Returns the open item. */
  detail(data: D | null): ComponentChildren | null;
}

export function ListScreen<D extends ListData>({
  of,
  limit = Number.POSITIVE_INFINITY,
  toolbar,
  above,
  empty,
  detail,
  ...rows
}: ListScreenProps<D>) {
  return (
    <Split
      list={
        <>
          {toolbar && <Toolbar>{toolbar}</Toolbar>}
          <Loaded of={of}>
            {(data) =>
              data.items.length === 0 ? (
                empty
              ) : (
                <>
                  {above?.(data)}
                  <StillRows {...rows} items={data.items} isWhole={data.items.length < limit} />
                </>
              )
            }
          </Loaded>
        </>
      }
      detail={detail(of.data.value)}
    />
  );
}

interface FilterTextProps {
  /** Name for screen readers. */
  label: string;
  /** Default: the key that leads here. */
  placeholder?: string;
}

/** The field that filters a list by a text, which is in the address. The key / leads to it. */
export const FilterText = ({ label, placeholder = "Filter  /" }: FilterTextProps) => (
  <input
    type="search"
    data-filter
    class="filter-text"
    placeholder={placeholder}
    aria-label={label}
    value={route.value.query.get("q") ?? ""}
    onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
  />
);
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

/** A choice that filters a list. It is in the address, so that a filtered list can be linked to. */
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
