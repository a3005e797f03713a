/** Returns the Jaro-Winkler similarity of two words, 0 to 1. A common prefix counts more. */
export function jaroWinkler(a: string, b: string): number {
  const jaro = jaroSimilarity(a, b);
  let prefix = 0;
  while (prefix < 4 && a[prefix] !== undefined && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

function jaroSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Set<number>();
  const matchesOfA = [...a].filter((letter, at) => {
    for (let other = Math.max(0, at - reach); other <= Math.min(b.length - 1, at + reach); other++) {
      if (b[other] === letter && !taken.has(other)) return taken.add(other);
    }
    return false;
  });
  const matchesOfB = [...b].filter((_, at) => taken.has(at));
  const count = matchesOfA.length;
  if (count === 0) return 0;
  const transposed = matchesOfA.filter((letter, at) => letter !== matchesOfB[at]).length / 2;
  return (count / a.length + count / b.length + (count - transposed) / count) / 3;
}
