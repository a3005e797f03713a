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
