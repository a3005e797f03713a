/** For what tells nobody when it happens: looks again and again until there is something, or the deadline is over. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadline = 5_000,
): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`${what}: not within ${deadline} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
