/** Filters of the activity list. They are in the address, so that a filtered list can be linked to. */
import type { ActivityFilter as Filter } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { FilterSelect } from "../../pieces/filter-select.js";
import { useResource } from "../../state/resource.js";
import { setQuery } from "../../state/route.js";

export interface ShownFilter {
  kind?: Filter["kind"] | undefined;
  operation?: string | undefined;
  status?: number | undefined;
  q?: string | undefined;
}

export const isFiltered = (filter: ShownFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

const kinds = {
  request: "Requests",
  move: "State changes",
  message: "Messages",
  event: "Events",
  attempt: "Webhook attempts",
  job: "Jobs",
  control: "By hand",
  page: "Hosted pages",
  scenario: "Scenarios",
} as const satisfies Record<NonNullable<Filter["kind"]>, string>;

export function Filters({ filter }: { filter: ShownFilter }) {
  const outcomes = useResource(() => call("listOutcomes"));
  const operations = outcomes.data.value?.items.map(({ operation }) => operation) ?? [];
  return (
    <search class="filters">
      <input
        type="search"
        data-filter
        class="filter-text"
        placeholder="Filter  /"
        aria-label="Search titles and ids"
        value={filter.q ?? ""}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
      <FilterSelect name="kind" label="Kind" all="All kinds" options={Object.entries(kinds)} />
      <input
        type="text"
        class={filter.operation ? "filter-operation set" : "filter-operation"}
        list="operations"
        placeholder="Operation"
        aria-label="Operation"
        value={filter.operation ?? ""}
        onChange={({ currentTarget }) => setQuery({ operation: currentTarget.value.trim() })}
      />
      <datalist id="operations">
        {operations.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <input
        type="text"
        inputMode="numeric"
        class={filter.status ? "filter-status set" : "filter-status"}
        placeholder="Status"
        aria-label="HTTP status"
        value={filter.status ?? ""}
        onChange={({ currentTarget }) => setQuery({ status: currentTarget.value.trim() })}
      />
    </search>
  );
}
