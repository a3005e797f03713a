/** The threads that run: all that a sandbox which never met a file has to know of them. */
import type { Conversions } from "./conversions.js";

/** By the settings of the sandbox that they belong to. */
export const running = new WeakMap<object, Conversions>();

/** Ends the threads of a sandbox that stops. */
export const closeConversions = (sandbox: object): void => running.get(sandbox)?.close();
