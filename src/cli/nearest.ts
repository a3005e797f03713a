/** What somebody who mistyped a name may have meant: a part of a sentence, or nothing. */
export async function nearest(names: readonly string[], wanted: string): Promise<string> {
  const { closest, distance } = await import("fastest-levenshtein");
  const near = closest(wanted, names);
  return distance(wanted, near) <= wanted.length / 2 ? `; the nearest is ${near}` : "";
}
