/** Returns the variables that keep a child process's requests to a host away from a proxy, in both spellings. */
export function withoutProxy(host: string): Record<"NO_PROXY" | "no_proxy", string> {
  const value = [process.env.NO_PROXY ?? process.env.no_proxy ?? [], host].flat().join(",");
  return { NO_PROXY: value, no_proxy: value };
}
