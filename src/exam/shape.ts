/** The union of JSON values that were seen in one place: which fields there were, and which values they had. */
import { isObject } from "../contract/json.js";

/** Maximum number of different values that are remembered of one field. */
const maxValues = 50;

export class Shape {
  /** Texts, numbers, booleans and nulls by path: field names joined by dots, `*` for the elements of a list. */
  readonly values = new Map<string, Set<unknown>>();
  /** Paths of objects. That of the whole value is empty. */
  readonly objects = new Set<string>();
  /** Length of the longest list at each path. That of the whole value is empty. */
  readonly lists = new Map<string, number>();

  /** Adds a value to the union. */
  add(value: unknown, path = ""): void {
    const inner = (name: string) => (path === "" ? name : `${path}.${name}`);
    if (Array.isArray(value)) {
      this.lists.set(path, Math.max(this.lists.get(path) ?? 0, value.length));
      for (const element of value) this.add(element, inner("*"));
    } else if (isObject(value)) {
      this.objects.add(path);
      for (const [name, field] of Object.entries(value)) this.add(field, inner(name));
    } else {
      const known = this.values.get(path) ?? new Set();
      this.values.set(path, known);
      if (known.size < maxValues) known.add(value);
    }
  }

  /** Returns whether a field had a value. */
  has = (path: string, value: unknown): boolean => this.values.get(path)?.has(value) ?? false;

  /** Returns the paths whose last field has one of these names. */
  pathsOf(names: ReadonlySet<string>, type: "number" | "string" | "boolean"): string[] {
    return [...this.values]
      .filter(([path]) => names.has(path.split(".").at(-1) as string))
      .filter(([, values]) => [...values].some((value) => typeof value === type))
      .map(([path]) => path);
  }
}
