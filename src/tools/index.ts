/** The file tools' engines as the service uses them. Loaded with the first file. */
import { Conversions } from "./conversions.js";

export { TooBusy } from "./conversions.js";
export { Unreadable } from "./engine.js";

/** By the settings of the sandbox that they belong to. */
const running = new WeakMap<object, Conversions>();

export function conversionsOf(sandbox: object): Conversions {
  let conversions = running.get(sandbox);
  if (!conversions) {
    conversions = new Conversions();
    running.set(sandbox, conversions);
  }
  return conversions;
}

/** Ends the threads of a sandbox that stops. */
export const closeConversions = (sandbox: object): void => running.get(sandbox)?.close();
