/** Endpoints that an account had before a scenario was loaded, which get the scenario's events as well. */
import { isObject } from "../../contract/json.js";
import type { ScenarioState } from "../account/types.js";

/** Returns a sentence that names the endpoints of the account that the scenario has not made. Empty if there are none. */
export function describeOtherEndpoints(
  { given }: Pick<ScenarioState, "given">,
  endpoints: readonly { id: string; url: string }[],
): string {
  const made = Array.isArray(given.webhooks)
    ? given.webhooks.map((one: unknown) => isObject(one) && one.id)
    : [];
  const others = endpoints.filter(({ id }) => !made.includes(id)).map(({ url }) => url);
  if (others.length === 0) return "";
  const which = others.length === 1 ? "an endpoint" : "endpoints";
  return `Its events also go to ${others.join(", ")}: ${which} of the account, which loading keeps.`;
}
