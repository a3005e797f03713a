/** The address: `#/webhooks/dlv_…?account=acct_…`. It has everything that the page shows, except keys and tokens. */
import { signal } from "@preact/signals";

export interface DashboardRoute {
  /** First part of the path: the screen. */
  readonly screen: string;
  /** The remaining parts, such as a record's id. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function parse(hash: string): DashboardRoute {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [screen = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  return { screen: screen || "activity", path: rest, query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The addresses of the docs open a screen. Their fragment names an item on it: `#/<section>/<operation>` or `#<assumption>`.
const { base = "", opens } = document.documentElement.dataset;
if (opens) {
  const [, id = ""] = /^#(?:.*\/)?([^/]+)$/.exec(location.hash) ?? [];
  history.replaceState(null, "", `${base}/#/${opens}${id && `/${id}`}`);
}

export const route = signal(parse(location.hash));
addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

type Query = Readonly<Record<string, string | null | undefined>>;

/**
 * Returns the address of a screen or of something on it. The account stays; other parameters do not.
 *
 * @example href(["webhooks", delivery.id])
 */
export function href(path: readonly string[], query: Query = {}): string {
  const search = new URLSearchParams();
  const account = route.value.query.get("account");
  for (const [name, value] of Object.entries({ account, ...query })) if (value) search.set(name, value);
  return `#/${path.map(encodeURIComponent).join("/")}${search.size > 0 ? `?${search}` : ""}`;
}

/** Returns the address of something on this screen, with the current parameters, such as filters. */
export const hrefHere = (...path: string[]): string =>
  href([route.value.screen, ...path], Object.fromEntries(route.value.query));

/** Goes to an address made by `href`. */
export function go(address: string): void {
  location.hash = address;
}

/** Changes parameters of this address, such as filters, without a new entry in the history. */
export function setQuery(changes: Query): void {
  const { screen, path, query } = route.value;
  history.replaceState(null, "", href([screen, ...path], { ...Object.fromEntries(query), ...changes }));
  route.value = parse(location.hash);
}
