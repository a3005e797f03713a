/** Lists of the control API with paging: newest first, or oldest first where testers act on the items in turn. */
import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import { inTurns } from "../time/turns.js";

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 10_000, description: "Maximum number of items. Default: all" }),
);

/** Query fields of a list that is newest first. */
export const paging = {
  limit,
  before: Type.Optional(
    Type.String({ description: "Id of an item, such as the last one of a page: only older ones are listed" }),
  ),
};

/** Query fields of a list that is oldest first. */
export const pagingOldestFirst = {
  limit,
  after: Type.Optional(
    Type.String({ description: "Id of an item, such as the last one of a page: only later ones are listed" }),
  ),
};

interface Page {
  limit?: number;
  before?: string;
  after?: string;
}

/**
 * Returns the items that pass the filter, as `view` shows them. Long lists are built over several turns of the event
 * loop.
 */
export const listPage = <T extends { id: string }, V>(
  inOrder: Iterable<T>,
  page: Page,
  view: (item: T) => V,
  isWanted: (item: T) => boolean = () => true,
): { items: V[] } | Promise<{ items: V[] }> => inTurns(takePage(inOrder, page, view, isWanted));

function* takePage<T extends { id: string }, V>(
  inOrder: Iterable<T>,
  { limit = Number.POSITIVE_INFINITY, before, after }: Page,
  view: (item: T) => V,
  isWanted: (item: T) => boolean,
): Generator<void, { items: V[] }> {
  const items: V[] = [];
  const start = before ?? after;
  let isReached = start === undefined;
  for (const item of inOrder) {
    if (items.length === limit) break;
    if (isReached && isWanted(item)) items.push(view(item));
    isReached ||= item.id === start;
    yield;
  }
  if (isReached) return { items };
  const message = `There is no item ${JSON.stringify(start?.slice(0, 60))} in this list; send the id of one of its items.`;
  return refuse("validation_error", { param: before === undefined ? "after" : "before", message });
}
