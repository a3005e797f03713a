/** The file tools' engines as the service uses them. Loaded with the first file. */
import { Conversions } from "./conversions.js";
import { running } from "./running.js";

export { TooBusy } from "./conversions.js";
export { Unreadable } from "./engine.js";

export function conversionsOf(sandbox: object): Conversions {
  let conversions = running.get(sandbox);
  if (!conversions) {
    conversions = new Conversions();
    running.set(sandbox, conversions);
  }
  return conversions;
}
