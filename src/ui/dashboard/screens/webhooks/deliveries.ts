/** Shared by the views of deliveries: the tones of statuses, and the kinds of events. */
import type { DeliveryEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import type { Tone } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";

export const deliveryTones = { succeeded: "good", pending: "wait", failed: "bad" } as const satisfies Record<
  DeliveryEntry["status"],
  Tone
>;

/** Returns the kinds of events, which the control API lists in the coverage. */
export function useEventKinds(): readonly string[] {
  const coverage = useResource(() => call("getCoverage", { query: { scope: "account" } }));
  return coverage.data.value?.events.map(({ event }) => event) ?? [];
}
