import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";

/** Resolves a host name. Names below `localhost` are this machine, as in browsers (RFC 6761, 6.3). */
export const lookup: LookupFunction = (hostname, options, callback) =>
  lookUp(/\.localhost\.?$/i.test(hostname) ? "localhost" : hostname, options, callback);
