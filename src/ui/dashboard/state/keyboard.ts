/** Keys that work on every screen. */
import { signal } from "@preact/signals";
import { go, href, hrefHere, route } from "./route.js";

/** The list that `j` and `k` move through. */
export interface KeyboardList {
  /** Moves the focus to the next (1) or previous (-1) row, without opening it. */
  move(step: 1 | -1): void;
}

let lists: readonly KeyboardList[] = [];

/** Lets `j` and `k` move through a list while it is on the screen. Returns a function that stops this. */
export function useKeysOn(list: KeyboardList): () => void {
  lists = [...lists, list];
  return () => {
    lists = lists.filter((known) => known !== list);
  };
}

export const isHelpOpen = signal(false);

/** Screens by their number key. */
let screens: readonly string[] = [];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));

const actions: Readonly<Record<string, () => void>> = {
  j: () => lists.at(-1)?.move(1),
  k: () => lists.at(-1)?.move(-1),
  "/": () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
  "?": () => {
    isHelpOpen.value = true;
  },
  Escape: goBack,
};

/** Goes from the open item back to its list. Without one, the last part of the path may name the list itself. */
function goBack(): void {
  if (document.querySelector(".split.open")) go(hrefHere(...route.value.path.slice(0, -1)));
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open], :popover-open")) return;
  const { key, target } = event;
  if (isTyping(target)) {
    if (key === "Escape") (target as HTMLElement).blur();
    return;
  }
  const screen = /^[1-9]$/.test(key) ? screens[Number(key) - 1] : undefined;
  const action = screen ? () => go(href([screen])) : actions[key];
  if (!action) return;
  event.preventDefault();
  action();
}

export function startKeyboard(names: readonly string[]): void {
  screens = names;
  addEventListener("keydown", handle);
}
