/** A list of links, optionally in groups, that the keyboard moves through. Its rows keep their places while somebody reads them. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useKeysOn } from "../state/keyboard.js";
import { plural } from "./format.js";

interface Item {
  readonly id: string;
}

/** The last result of a list, as rows that keep their places while somebody reads them. */
class StillList<T extends Item> {
  readonly items = signal<readonly T[]>([]);
  /** Number of new rows that are not shown while the list is pinned. */
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
    // Rows that are added after the last known row do not move any row.
    const last = read.findLastIndex(({ id }) => known.has(id));
    this.items.value = last === -1 ? rows : [...rows, ...read.slice(last + 1)];
    for (const { id } of this.items.value) current.delete(id);
    this.waiting.value = current.size;
  }

  /** Pins or unpins the list. An unpinned list shows the rows that were read last. */
  pin(isPinned: boolean): void {
    this.#isPinned = isPinned;
    if (!isPinned) this.reveal();
  }

  /** Shows the rows that were read last. */
  reveal(): void {
    this.items.value = this.#read;
    this.waiting.value = 0;
  }
}

export interface ListGroup<T> {
  readonly name: string;
  readonly description?: string;
  readonly items: readonly T[];
}

export interface ListProps<T> {
  /** Name for screen readers. */
  label: string;
  items: readonly T[];
  /** Whether `items` has all rows, so that missing rows are removed. */
  isWhole: boolean;
  /** Puts the rows into groups with headings. Default: one list. */
  groupsOf?(items: readonly T[]): readonly ListGroup<T>[];
  /** Returns the rows below a row, such as the tree of an open story. */
  below?(item: T): readonly T[];
  /** Id of the row that is open. */
  openId: string | null;
  hrefOf(item: T): string;
  /** Content of a row. */
  children: (item: T) => ComponentChildren;
  /** Buttons beside the content, which are not part of the link. */
  beside?(item: T): ComponentChildren;
  /** Shown after the last row. */
  end?: ComponentChildren;
}

interface RowProps<T> extends Pick<ListProps<T>, "hrefOf" | "children"> {
  item: T;
  beside: ListProps<T>["beside"] | undefined;
  reachedId: Signal<string | null>;
  /** Whether Tab leads to it. */
  isTabStop: boolean;
  /** Whether the keyboard continues from this row. */
  isActive: boolean;
  isOpen: boolean;
}

/** A row. It is drawn again only if its properties have changed, since a list may have a thousand rows. */
class Row<T extends Item> extends Component<RowProps<T>> {
  override shouldComponentUpdate(next: RowProps<T>): boolean {
    return Object.entries(next).some(([name, value]) => value !== this.props[name as keyof RowProps<T>]);
  }

  override render() {
    const { item, reachedId, isTabStop, isActive, isOpen, hrefOf, children, beside } = this.props;
    return (
      <li>
        <a
          class="item row"
          href={hrefOf(item)}
          tabIndex={isTabStop ? 0 : -1}
          data-active={isActive ? "" : undefined}
          aria-current={isOpen ? "true" : undefined}
          onFocus={() => {
            reachedId.value = item.id;
          }}
        >
          {children(item)}
        </a>
        {beside?.(item)}
      </li>
    );
  }
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

export function List<T extends Item>(props: ListProps<T>) {
  const { label, items, isWhole, groupsOf, below = () => [], openId, hrefOf, children, beside, end } = props;
  const still = useMemo(() => new StillList(items), []);
  useLayoutEffect(() => still.update(items, isWhole), [items]);
  const box = useRef<HTMLElement>(null);
  const isFocused = useSignal(false);
  const isScrolled = useSignal(false);
  const isRead = openId !== null || isFocused.value || isScrolled.value;
  useLayoutEffect(() => still.pin(isRead), [isRead]);

  /** Row that the keyboard has reached. */
  const reachedId = useSignal<string | null>(null);
  const activeId = reachedId.value ?? openId;
  const groups = groupsOf?.(still.items.value) ?? [{ name: "", items: still.items.value }];
  const rows = groups.flatMap((group) => group.items.flatMap((item) => [item, ...below(item)]));
  const tabStop = rows.find(({ id }) => id === activeId)?.id ?? rows[0]?.id;

  const move = (step: 1 | -1) => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>(".row") ?? [])];
    const from = links.findIndex((link) => link.hasAttribute("data-active"));
    links[from === -1 ? 0 : Math.min(Math.max(from + step, 0), links.length - 1)]?.focus();
  };
  // A layout effect, since a key that is pressed before the next frame would reach no list.
  useLayoutEffect(() => useKeysOn({ move }), []);
  const wasOpen = useRef<string | null>(null);
  useEffect(() => {
    if (openId) {
      reachedId.value = openId;
      box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    } else if (wasOpen.current) box.current?.querySelector<HTMLElement>("[data-active]")?.focus();
    wasOpen.current = openId;
  }, [openId]);

  const showRow = (item: T) => (
    <Row
      key={item.id}
      item={item}
      reachedId={reachedId}
      isTabStop={item.id === tabStop}
      isActive={item.id === activeId}
      isOpen={item.id === openId}
      hrefOf={hrefOf}
      beside={beside}
    >
      {children}
    </Row>
  );
  return (
    <div class="list-frame">
      {still.waiting.value > 0 && (
        <button
          type="button"
          class="button primary new-items"
          onClick={() => {
            still.reveal();
            box.current?.scrollTo({ top: 0 });
          }}
        >
          {`${still.waiting.value.toLocaleString("en")} new`}
          <span class="visually-hidden">{`: show ${plural(still.waiting.value, "new row")}`}</span>
        </button>
      )}
      <nav
        class="list"
        aria-label={label}
        ref={box}
        onScroll={({ currentTarget }) => {
          isScrolled.value = currentTarget.scrollTop > 0;
        }}
        onFocusIn={() => {
          isFocused.value = true;
        }}
        onFocusOut={({ relatedTarget }) => {
          if (!box.current?.contains(relatedTarget as Node | null)) isFocused.value = false;
        }}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (!step) return;
          event.preventDefault();
          move(step);
        }}
      >
        {groups.map(({ name, description, items }) => (
          <section key={name}>
            {name && <h2>{name}</h2>}
            {description && <p class="hint">{description}</p>}
            {/* biome-ignore lint/a11y/noRedundantRoles: without bullets, Safari no longer announces a list */}
            <ul role="list">{items.flatMap((item) => [item, ...below(item)]).map(showRow)}</ul>
          </section>
        ))}
        {end}
      </nav>
    </div>
  );
}
