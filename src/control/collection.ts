/** Collections of an account: lists with filters and paging, and, where a collection has them, removal and wait. */
import * as Type from "typebox";
import type { ControlOperationId } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import type { Operation } from "../contract/operation.js";
import { parseDuration, second, timer } from "../time/time.js";
import type { Waiters } from "../time/waiters.js";
import type { Account } from "../world/account/account.js";
import { type ControlContext, operation } from "./operation.js";
import { ById, Deleted } from "./schemas.js";

type Fields<P extends Type.TProperties> = Type.Static<Type.TObject<P>>;

/** The fields of both types, as one object. */
type Both<One, Other> = { [K in keyof (One & Other)]: (One & Other)[K] };

/** Parts of a call that are passed to the functions of a collection. */
interface CollectionCall<Filter extends Type.TProperties, Params extends Type.TProperties>
  extends ControlContext {
  query: Fields<Filter>;
  params: Fields<Params>;
}

interface Named<Id> {
  id: Id;
  summary: string;
  description?: string;
}

/** Name of an item in refusals, such as `event`. */
interface Noun {
  noun: string;
}

/**
 * Paging of a list: by default newest first. `oldest`: oldest first, for testers who process items in order. `whole`:
 * no paging, for short lists.
 */
type Paging = "newest" | "oldest" | "whole";

interface Collection<
  Of extends Type.TSchema,
  Filter extends Type.TProperties,
  Params extends Type.TProperties,
  Pages extends Paging,
  Beside extends Type.TProperties,
  Item,
  ListId,
  RemoveId,
  WaitId,
> {
  /** View of an item. */
  of: Of;
  /** Path parameters of the list. */
  params?: Params;
  /** Query fields by which list and wait choose items. */
  filter?: Filter;
  paging?: Pages;
  /** Returns the items in the order of the list. They may include items that only `matches` excludes. */
  items(call: CollectionCall<Filter, Params>): Iterable<Item> | Promise<Iterable<Item>>;
  matches?(item: Item, filter: Fields<Filter>): boolean;
  view(item: Item, call: CollectionCall<Filter, Params>): Type.Static<Of>;
  list: Named<ListId>;
  /** Fields of the list's reply in addition to its items. */
  beside?: {
    of: Beside;
    values(call: CollectionCall<Filter, Params>): Fields<Beside> | Promise<Fields<Beside>>;
  };
  /** The operation that removes an item. `remove` returns whether there was an item with this id. */
  remove?: Named<RemoveId> & Noun & { remove(account: Account, id: string): boolean };
  wait?: Named<WaitId> & {
    waiters(account: Account): Pick<Waiters<{ id: string }>, "ended" | "onNext">;
    /** Returns the oldest item that passes the filter and that no earlier wait with this filter has returned. */
    take(call: CollectionCall<Filter, Params>): Item | undefined | Promise<Item | undefined>;
    /** Formats what has not happened, such as `No new message came`. */
    none(filter: Fields<Filter>): string;
    /** Formats what there is although no item passes the filter. Omitted from refusals by default. */
    others?(account: Account): string;
  };
}

type Declared<Id, Params, Query, Reply> = [Id] extends [never]
  ? undefined
  : Operation<
      Id & string,
      { params: Params; query: Query; body: never; reply: Reply; files: never; outcome: never }
    >;

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 10_000, description: "Maximum number of items. Default: all" }),
);

const id = Type.Optional(Type.String({ description: "Id of an item: only this one is listed" }));

const pageFields: Readonly<Record<Exclude<Paging, "whole">, Type.TProperties>> = {
  newest: {
    id,
    limit,
    before: Type.Optional(
      Type.String({
        description: "Id of an item, such as the last one of a page: only older ones are listed",
      }),
    ),
  },
  oldest: {
    id,
    limit,
    after: Type.Optional(
      Type.String({
        description: "Id of an item, such as the last one of a page: only later ones are listed",
      }),
    ),
  },
};

type Page = { id?: string; limit?: number; before?: string; after?: string };

const timeout = Type.Optional(
  Type.String({ examples: ["5s"], description: "Wall-clock time to wait, at most 60s. Default 5s" }),
);

/** Declares the operations of a collection. Their paths are in the table of routes. */
export function collection<
  Of extends Type.TSchema,
  Item,
  const ListId extends ControlOperationId,
  const RemoveId extends ControlOperationId = never,
  const WaitId extends ControlOperationId = never,
  Filter extends Type.TProperties = Record<never, never>,
  Params extends Type.TProperties = Record<never, never>,
  Beside extends Type.TProperties = Record<never, never>,
  const Pages extends Paging = "newest",
>(spec: Collection<Of, Filter, Params, Pages, Beside, Item, ListId, RemoveId, WaitId>) {
  const { remove, wait } = spec;
  return {
    list: listOperation(spec as unknown as AnyCollection),
    remove: remove && removeOperation(remove),
    wait: wait && waitOperation(spec as unknown as AnyCollection, wait as never),
  } as unknown as {
    list: Declared<
      ListId,
      Fields<Params>,
      Pages extends "whole" ? never : Both<Fields<Filter>, Page>,
      Both<{ items: Type.Static<Of>[] }, Fields<Beside>>
    >;
    remove: Declared<RemoveId, { id: string }, never, Type.Static<typeof Deleted>>;
    wait: Declared<WaitId, never, Both<Fields<Filter>, { timeout?: string }>, Type.Static<Of>>;
  };
}

/** A collection without the types of its items. */
type AnyCollection = Collection<
  Type.TSchema,
  Type.TProperties,
  Type.TProperties,
  Paging,
  Type.TProperties,
  { id: string },
  ControlOperationId,
  ControlOperationId,
  ControlOperationId
>;
type AnyCall = CollectionCall<Type.TProperties, Type.TProperties>;

function listOperation(spec: AnyCollection) {
  const { of, params, filter, paging = "newest", matches, view, list, beside } = spec;
  const isWhole = paging === "whole";
  return operation({
    ...list,
    ...(params ? { params: Type.Object(params) } : {}),
    ...(isWhole ? {} : { query: Type.Object({ ...filter, ...pageFields[paging] }) }),
    reply: { 200: Type.Object({ items: Type.Array(of), ...beside?.of }) },
    refuses: [
      ...(params ? (["resource_not_found"] as const) : []),
      ...(isWhole ? [] : (["validation_error"] as const)),
    ],
    handle: async (given) => {
      const call = given as unknown as AnyCall;
      const query = (given.query ?? {}) as Page & AnyCall["query"];
      const page = listPage(
        await spec.items(call),
        query,
        (item) => view(item, call),
        matches && ((item) => matches(item, query)),
      );
      return { ...page, ...(await beside?.values(call)) };
    },
  });
}

function removeOperation({ noun, remove, ...named }: NonNullable<AnyCollection["remove"]>) {
  return operation({
    ...named,
    params: ById,
    reply: { 200: Deleted },
    refuses: ["resource_not_found"],
    handle({ account, params: { id } }) {
      if (!remove(account, id)) refuseUnknown(noun, id);
      return { id, deleted: true as const };
    },
  });
}

function waitOperation(spec: AnyCollection, wait: NonNullable<AnyCollection["wait"]>) {
  const { of, filter, matches, view } = spec;
  return operation({
    id: wait.id,
    summary: wait.summary,
    query: Type.Object({ ...filter, timeout }),
    reply: { 200: of },
    refuses: ["wait_timeout", "validation_error"],
    handle: async (given) => {
      const { account, query } = given;
      const call = given as unknown as AnyCall;
      const ms = parseTimeout(query.timeout as string | undefined);
      const item = await waitFor(wait.waiters(account), () => wait.take(call), ms);
      if (item) return view(item, call) as never;
      const [taken] = wait.others
        ? [...(await spec.items(call))].filter((item) => matches?.(item, call.query) ?? true)
        : [];
      const there = taken
        ? `another call that waited with this filter has got the newest, ${taken.id}`
        : wait.others?.(account);
      const message = `${wait.none(call.query)} within ${ms} ms${there ? `; ${there}` : ""}.`;
      return refuse("wait_timeout", { message });
    },
  });
}

/** Refuses the id of an item that the account does not have. */
export const refuseUnknown = (noun: string, id: string): never =>
  refuse("resource_not_found", {
    param: "id",
    message: `There is no ${noun} ${id.slice(0, 100)} on this account.`,
  });

/** Returns the items of a page that pass the filter, as `view` shows them. */
export function listPage<T extends { id: string }, V>(
  inOrder: Iterable<T>,
  { id: wanted, limit = wanted === undefined ? Number.POSITIVE_INFINITY : 1, before, after }: Page,
  view: (item: T) => V,
  isWanted: (item: T) => boolean = () => true,
): { items: V[] } {
  const items: V[] = [];
  const start = before ?? after;
  let isReached = start === undefined;
  for (const item of inOrder) {
    if (items.length === limit) break;
    if (isReached && (wanted ?? item.id) === item.id && isWanted(item)) items.push(view(item));
    isReached ||= item.id === start;
  }
  if (isReached) return { items };
  const message = `There is no item ${JSON.stringify(start?.slice(0, 60))} in this list; send the id of one of its items.`;
  return refuse("validation_error", { param: before === undefined ? "after" : "before", message });
}

const defaultTimeoutMs = 5 * second;
const maxTimeoutMs = 60 * second;

/** Returns the timeout in ms. */
function parseTimeout(timeout: string | undefined): number {
  const ms = timeout === undefined ? defaultTimeoutMs : parseDuration(timeout);
  if (ms !== null && ms <= maxTimeoutMs) return ms;
  return refuse("validation_error", {
    param: "timeout",
    message: `timeout must be a duration of at most 60s, such as 5s; got ${JSON.stringify(timeout)}.`,
  });
}

/** Returns the result of `take` as soon as there is one, or undefined on timeout or when the sandbox stops. */
async function waitFor<T>(
  waiters: Pick<Waiters<{ id: string }>, "ended" | "onNext">,
  take: () => T | undefined | Promise<T | undefined>,
  timeout: number,
): Promise<T | undefined> {
  let waiting = true;
  const limit = { stop: () => {} };
  const over = new Promise<void>((resolve) => {
    const handle = timer(timeout, () => {
      waiting = false;
      resolve();
    });
    limit.stop = () => handle.cancel();
  });
  try {
    for (;;) {
      let stop = () => {};
      // Items that arrive while `take` searches many others are not missed.
      const arrival = new Promise<void>((resolve) => {
        stop = waiters.onNext(resolve);
      });
      try {
        const taken = await take();
        if (taken || !waiting || waiters.ended) return taken;
        await Promise.race([arrival, over]);
      } finally {
        stop();
      }
    }
  } finally {
    limit.stop();
  }
}
