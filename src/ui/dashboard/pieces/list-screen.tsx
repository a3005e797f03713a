/** A screen with a list: its filters, its rows, which keep their places while somebody reads them, and the open item beside them. */
import type { ComponentChildren } from "preact";
import type { Resource } from "../state/resource.js";
import { route, setQuery } from "../state/route.js";
import { type Option, toPair } from "./field.js";
import { Empty, Loaded, Split, Toolbar } from "./layout.js";
import { List, type ListProps } from "./list.js";

/** The data of a list. */
interface ListData {
  readonly items: readonly { readonly id: string }[];
}

interface ListScreenProps<D extends ListData, T extends D["items"][number] = D["items"][number]>
  extends Omit<ListProps<T>, "items" | "isWhole"> {
  of: Resource<D>;
  /** Maximum number of items that were requested. If fewer came, missing rows are removed. Default: no maximum. */
  limit?: number;
  /** Filters and actions above the list. */
  toolbar?: ComponentChildren;
  /** Returns the text in which `FilterText` searches. Default: the sandbox has applied the filter. */
  textOf?(item: T): string;
  /** Returns content between the toolbar and the rows. */
  above?(data: D): ComponentChildren;
  /** Shown if there are no items: what is missing, and the action that fills the screen. */
  empty: ComponentChildren;
  /** Content below the list. */
  under?: ComponentChildren;
  /** Returns the open item. */
  detail(data: D | null): ComponentChildren | null;
}

export function ListScreen<D extends ListData>({ of, toolbar, under, detail, ...list }: ListScreenProps<D>) {
  return (
    <Split
      list={
        <>
          {toolbar && <Toolbar>{toolbar}</Toolbar>}
          <Loaded of={of}>
            {(data) => (data.items.length === 0 ? list.empty : <Rows {...list} data={data} />)}
          </Loaded>
          {under}
        </>
      }
      detail={detail(of.data.value)}
    />
  );
}

function Rows<D extends ListData>({
  data,
  limit = Number.POSITIVE_INFINITY,
  textOf,
  above,
  ...rows
}: Omit<ListScreenProps<D>, "of" | "toolbar" | "under" | "detail"> & { data: D }) {
  const q = textOf ? (route.value.query.get("q") ?? "").toLowerCase() : "";
  const words = q.split(/\s+/).filter(Boolean);
  const isFound = (item: D["items"][number]) => {
    const text = textOf?.(item).toLowerCase() ?? "";
    return words.every((word) => text.includes(word));
  };
  const items = words.length === 0 ? data.items : data.items.filter(isFound);
  return (
    <>
      {above?.(data)}
      {words.length > 0 && (
        <p class="found hint" role="status">{`${items.length} of ${data.items.length}`}</p>
      )}
      {items.length === 0 ? (
        <Empty title="Nothing matches this filter" />
      ) : (
        <List key={`${rows.label} ${q}`} {...rows} items={items} isWhole={data.items.length < limit} />
      )}
    </>
  );
}

interface FilterTextProps {
  /** Name for screen readers. */
  label: string;
  /** Default: "Filter", with the key that focuses the field. */
  placeholder?: string;
}

/** A field that filters a list by a text, which is kept in the address. The key / focuses it. */
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
  /** Label of the choice that shows all rows. */
  all: string;
  options: readonly Option[];
  /** Whether the key / focuses this field. */
  isMain?: true;
}

/** A choice that filters a list. It is kept in the address, so that filtered lists can be linked to. */
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
      {options.map(toPair).map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  );
}
