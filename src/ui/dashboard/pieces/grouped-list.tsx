/** A list in groups with headings, which the keyboard moves through. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useKeysOn } from "../state/keyboard.js";

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
                <a class="row" href={hrefOf(item)} aria-current={item.id === openId ? "true" : undefined}>
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
