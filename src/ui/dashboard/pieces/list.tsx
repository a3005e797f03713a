/** A virtual list: only visible rows are rendered, so that it can have thousands, and they stand still while somebody reads. */
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useKeysOn } from "../state/keyboard.js";
import { plural } from "./format.js";

interface ListProps<T> {
  /** Name for screen readers. */
  label: string;
  items: readonly T[];
  /** Id of the row that is open. */
  openId: string | null;
  hrefOf(item: T): string;
  /** Content of a row. */
  children: (item: T) => ComponentChildren;
  /** Buttons beside the content, which are not part of the link. */
  beside?(item: T): ComponentChildren;
  /** Height of a row in px, on wide and on narrow screens. Default 36 and 56. */
  heights?: readonly [wide: number, narrow: number];
  /** Called with whether the list is being read: a row is open or in focus, or the list is scrolled. */
  onRead?(isRead: boolean): void;
  /** Shown after the last row. */
  end?: ComponentChildren;
}

/** Rows beyond the edges that are drawn too, so that scrolling shows no gaps. */
const overscan = 8;
const narrow = matchMedia("(max-width: 700px)");

export function List<T extends { readonly id: string }>(props: ListProps<T>) {
  const { label, items, openId, hrefOf, children, beside, heights = [36, 56], onRead, end } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 800, isNarrow: narrow.matches });
  /** Row selected with the keyboard. */
  const activeId = useSignal<string | null>(openId);
  const isFocused = useSignal(false);
  const hasToFocus = useRef(false);
  const { top, height, isNarrow } = view.value;
  const rowHeight = heights[isNarrow ? 1 : 0];
  const active = items.findIndex(({ id }) => id === (activeId.value ?? openId));

  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const measure = () => {
      view.value = { top: element.scrollTop, height: element.clientHeight, isNarrow: narrow.matches };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  const isRead = openId !== null || isFocused.value || top > 0;
  useLayoutEffect(() => onRead?.(isRead), [isRead]);

  const latest = useRef({ items, active, rowHeight });
  latest.current = { items, active, rowHeight };
  useEffect(() => {
    return useKeysOn({
      move(step) {
        const now = latest.current;
        const element = box.current as HTMLDivElement;
        if (now.items.length === 0) return;
        const next = now.active === -1 ? 0 : Math.min(Math.max(now.active + step, 0), now.items.length - 1);
        const at = next * now.rowHeight;
        const highest = at + now.rowHeight - element.clientHeight;
        element.scrollTop = Math.min(Math.max(element.scrollTop, highest), at);
        hasToFocus.current = true;
        isFocused.value = true;
        activeId.value = now.items[next]?.id ?? null;
      },
    });
  }, []);
  useLayoutEffect(() => {
    if (!hasToFocus.current) return;
    hasToFocus.current = false;
    box.current?.querySelector<HTMLElement>("[data-active]")?.focus({ preventScroll: true });
  });
  // Returns the focus to the row that was open.
  const wasOpen = useRef<string | null>(null);
  useEffect(() => {
    if (openId) activeId.value = openId;
    else if (wasOpen.current) box.current?.querySelector<HTMLElement>("[data-active]")?.focus();
    wasOpen.current = openId;
  }, [openId]);

  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + overscan);
  const shown = items.slice(first, last).map((item, index) => ({ item, index: first + index }));
  const activeItem = items[active];
  if (activeItem && (active < first || active >= last)) shown.push({ item: activeItem, index: active });
  const tabStop = activeItem ? active : first;
  return (
    <div
      class="list"
      ref={box}
      onFocusIn={() => {
        isFocused.value = true;
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget as Node | null)) isFocused.value = false;
      }}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: without bullets, Safari no longer announces a list */}
      <ul role="list" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map(({ item, index }) => (
          <li
            key={item.id}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
          >
            <a
              class="item row"
              href={hrefOf(item)}
              tabIndex={index === tabStop ? 0 : -1}
              data-active={index === active ? "" : undefined}
              aria-current={item.id === openId ? "true" : undefined}
              onFocus={() => {
                activeId.value = item.id;
              }}
            >
              {children(item)}
            </a>
            {beside?.(item)}
          </li>
        ))}
      </ul>
      {end}
    </div>
  );
}

/** The last result of a list, as rows that keep their places while somebody reads them. */
export class StillList<T extends { readonly id: string }> {
  readonly items = signal<readonly T[]>([]);
  /** Number of new rows that are not shown, because the list stands still. */
  readonly waiting = signal(0);
  #read: readonly T[] = [];
  #isPinned = false;

  constructor(read: readonly T[]) {
    this.update(read, true);
  }

  /** Takes rows that were read. If `isWhole`, there are no other rows, so missing ones are gone. */
  update(read: readonly T[], isWhole: boolean): void {
    this.#read = read;
    if (!this.#isPinned) return this.reveal();
    const current = new Map(read.map((item) => [item.id, item]));
    const rows = this.items.value.flatMap((item) => current.get(item.id) ?? (isWhole ? [] : item));
    const known = new Set(rows.map(({ id }) => id));
    // Rows after the last one move nothing.
    const last = read.findLastIndex(({ id }) => known.has(id));
    this.items.value = last === -1 ? rows : [...rows, ...read.slice(last + 1)];
    for (const { id } of this.items.value) current.delete(id);
    this.waiting.value = current.size;
  }

  /** Whether the list stands still. Once it no longer does, what was read last is shown. */
  pin(isPinned: boolean): void {
    this.#isPinned = isPinned;
    if (!isPinned) this.reveal();
  }

  /** Shows what was read last. */
  reveal(): void {
    this.items.value = this.#read;
    this.waiting.value = 0;
  }
}

export interface StillRowsProps<T> extends Omit<ListProps<T>, "onRead"> {
  /** Whether there are no other rows, so that a row that is no longer read is gone. */
  isWhole: boolean;
  /** Returns the rows below a row, such as the tree of an open story. */
  below?(item: T): readonly T[];
}

/** A list of what was read last, which stands still while somebody reads it. */
export function StillRows<T extends { readonly id: string }>({
  items,
  isWhole,
  below,
  ...props
}: StillRowsProps<T>) {
  const list = useMemo(() => new StillList(items), []);
  useLayoutEffect(() => list.update(items, isWhole), [items]);
  const rows = list.items.value;
  const waiting = list.waiting.value;
  return (
    <div class="list-frame">
      {waiting > 0 && (
        <button
          type="button"
          class="button primary new-items"
          onClick={() => {
            list.reveal();
            document.querySelector(".list")?.scrollTo({ top: 0 });
          }}
        >
          {`${waiting.toLocaleString("en")} new`}
          <span class="visually-hidden">{`: show ${plural(waiting, "new row")}`}</span>
        </button>
      )}
      <List
        {...props}
        items={below ? rows.flatMap((item) => [item, ...below(item)]) : rows}
        onRead={(isRead) => list.pin(isRead)}
      />
    </div>
  );
}

export interface ListGroup<T> {
  readonly name: string;
  readonly description?: string;
  readonly items: readonly T[];
}

interface GroupedListProps<T> {
  /** Name for screen readers. */
  label: string;
  groups: readonly ListGroup<T>[];
  /** Id of the row that is open. */
  openId: string | null;
  hrefOf(item: T): string;
  /** Content of a row. */
  children(item: T): ComponentChildren;
}

/** A list in groups with headings, which the keyboard moves through. */
export function GroupedList<T extends { readonly id: string }>({
  label,
  groups,
  openId,
  hrefOf,
  children,
}: GroupedListProps<T>) {
  const box = useRef<HTMLElement>(null);
  useEffect(
    () =>
      useKeysOn({
        move(step) {
          const rows = [...(box.current?.querySelectorAll<HTMLElement>(".row") ?? [])];
          const now = rows.findIndex((row) => row.matches(":focus"));
          const open = rows.findIndex((row) => row.hasAttribute("aria-current"));
          const from = now === -1 ? open : now;
          rows[from === -1 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)]?.focus();
        },
      }),
    [],
  );
  useEffect(
    () => box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }),
    [openId],
  );
  return (
    <nav class="list grouped" aria-label={label} ref={box}>
      {groups.map(({ name, description, items }) => (
        <section key={name}>
          <h2>{name}</h2>
          {description && <p class="hint">{description}</p>}
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <a
                  class="item row"
                  href={hrefOf(item)}
                  aria-current={item.id === openId ? "true" : undefined}
                >
                  {children(item)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
