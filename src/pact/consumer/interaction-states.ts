/** The provider states of a consumer test: those that it names, or those that the operation needs to answer so. */
import type { AnyOperation } from "../../contract/operation.js";
import { needsOf } from "../provider-states/required-states.js";
import type { Need, Seen } from "../provider-states/state-selectors.js";
import { stateCalled } from "./find-by-name.js";
import { type InteractionOptions, statesIn } from "./interaction-options.js";

/** Throws a RangeError where no state of the catalogue is known to bring the answer about. */
export function needsFor(operation: AnyOperation, options: InteractionOptions, seen: Seen): Need[] {
  const usual = needsOf(operation, seen);
  if (options.state === undefined) {
    if (usual) return usual;
    const what = seen.code === null ? "answers so" : `refuses with ${seen.code}`;
    throw new RangeError(`there is no known state in which ${operation.id} ${what}: name one with state`);
  }
  const places: Need["from"] = Object.assign({}, ...(usual ?? []).map(({ from }) => from));
  const decides = usual?.flatMap((one) => one.decides ?? []) ?? [];
  return statesIn(options).map((one, index) => {
    const { name, params = {} } = typeof one === "string" ? { name: one } : one;
    const { values } = stateCalled(name);
    const from = Object.fromEntries(Object.entries(places).filter(([, value]) => value in values));
    return { state: name, params: { ...params }, from, decides: index === 0 ? decides : [] };
  });
}
