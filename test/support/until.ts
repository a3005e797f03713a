/** Deadline that suffices on a slow machine. */
const deadlineMs = 120_000;

/** Polls every `intervalMs` until the condition holds, for states that send no notification. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  intervalMs = 10,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
