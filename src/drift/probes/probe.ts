/** A probe: the fewest calls that tell the values of an assumption apart. */
import type { Assumptions, SwitchId } from "../../service/assumptions.js";
import type { Group } from "../groups.js";
import { isRefusal, isSuccess, type ServiceReply } from "../service-client.js";
import type { DriftSide } from "../side.js";

/** Which value the service has, and the replies that show it. */
export interface ProbeObservation<Value extends string> {
  /** Null if the service behaves like none of the values. */
  readonly value: Value | null;
  readonly replies: readonly ServiceReply[];
  /** Facts that the replies' statuses do not show. Contains no values of requests or replies. */
  readonly note?: string;
}

export interface Probe<Value extends string = string> {
  readonly group: Group;
  /** Maximum number of calls. */
  readonly calls: number;
  /** Maximum number of charged calls, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>>;
  /** Shortest wait of a run with which the probe can be made, in ms. */
  readonly minWaitMs?: number;
  /** Rejects with NotTestable or CouldNotCheck if the service cannot be asked. */
  observe(side: DriftSide): Promise<ProbeObservation<Value>>;
}

/** Probes by the assumption whose value they find. */
export type Probes = { readonly [Id in SwitchId]: Probe<Assumptions[Id]> };

/** Returns a probe whose value follows from a single reply. */
export const ofReply = <Value extends string>(
  row: Omit<Probe, "observe">,
  ask: (side: DriftSide) => Promise<ServiceReply>,
  toObservation: (reply: ServiceReply) => Omit<ProbeObservation<Value>, "replies">,
): Probe<Value> => ({
  ...row,
  async observe(side) {
    const reply = await ask(side);
    return { ...toObservation(reply), replies: [reply] };
  },
});

/** Returns a function that finds the value of a reply by its status. */
export const byStatus =
  <Value extends string>(values: Readonly<Record<number, Value>>) =>
  ({ status }: ServiceReply) => ({ value: values[status] ?? null });

/** Returns a function that finds the value by whether the service accepts or refuses the request. */
export const byAnswer =
  <Value extends string>({ taken, refused }: Readonly<Record<"taken" | "refused", Value>>) =>
  (reply: ServiceReply) => ({ value: isRefusal(reply) ? refused : isSuccess(reply) ? taken : null });
