/** The address at which `standin start` listens. */
import type { SandboxOptions } from "../contract/options.js";
import { UsageError } from "./errors.js";
import { defaultHost, defaultPort } from "./option-flags.js";
import { parsePort } from "./option-parsers.js";

/** Returns the port in the variable PORT, which hosting platforms set for the servers that they run. */
function portOfPlatform(): number {
  const { PORT: text } = process.env;
  if (!text) return defaultPort;
  try {
    return parsePort(text);
  } catch {
    throw new UsageError(`PORT must be a number from 0 to 65535; got ${text}`);
  }
}

/** Completes the address. PORT applies if neither a flag, STANDIN_PORT nor the config file sets a port. */
export const listenAddress = ({ host = defaultHost, port = portOfPlatform() }: SandboxOptions) => ({
  host,
  port,
});
