/** Changes of headers by name; a header that is null is left out. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

type Pair = readonly [name: string, value: string];

/** Returns headers with changes. Names are compared without regard to case. */
export function changeHeaders(headers: Iterable<Pair>, changes: HeaderChanges): Pair[] {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = [...headers].filter(([name]) => !changed.has(name.toLowerCase()));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return [...kept, ...added];
}

/** Returns a text as a header can carry it: other characters than visible ASCII and spaces become question marks. */
export const toHeaderValue = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?");
