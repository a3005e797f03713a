/** Lists of the control API, newest first, with paging. */
import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import { inTurns } from "../time/turns.js";

/** Query fields of a list. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "Maximum number of items. Default: all" }),
  ),
  before: Type.Optional(
    Type.String({ description: "Id of an item, such as the last one of a page: only older ones are listed" }),
  ),
};

interface Page {
  limit?: number;
  before?: string;
}

/**
 * Returns the items that pass the filter, as `view` shows them. Long lists are built over several turns of the event
 * loop.
 */
export const listPage = <T extends { id: string }, V>(
  newestFirst: Iterable<T>,
  page: Page,
  view: (item: T) => V,
  isWanted: (item: T) => boolean = () => true,
): { items: V[] } | Promise<{ items: V[] }> => inTurns(takePage(newestFirst, page, view, isWanted));

function* takePage<T extends { id: string }, V>(
  newestFirst: Iterable<T>,
  { limit = Number.POSITIVE_INFINITY, before }: Page,
  view: (item: T) => V,
  isWanted: (item: T) => boolean,
): Generator<void, { items: V[] }> {
  const items: V[] = [];
  let isReached = before === undefined;
  for (const item of newestFirst) {
    if (items.length === limit) break;
    if (isReached && isWanted(item)) items.push(view(item));
    isReached ||= item.id === before;
    yield;
  }
  if (isReached) return { items };
  const message = `There is no item ${JSON.stringify(before?.slice(0, 60))} in this list; send the id of one of its items.`;
  return refuse("validation_error", { param: "before", message });
}
