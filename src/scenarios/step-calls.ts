/** The steps of a scenario that are one call of the control API. */
import type { ControlOperationId } from "../contract/control-routes.js";
import { toAdvance } from "../time/time.js";
import type { StepOf } from "./steps.js";

export interface ControlCall {
  readonly id: ControlOperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** How precisely the phone of a visit knows its place unless the step says so, in metres. */
const defaultAccuracyM = 10;

/** Returns the call in place of a step, by its kind. */
export const stepCalls = {
  advance: ({ advance }: StepOf<"advance">): ControlCall => ({
    id: "advanceClock",
    body: toAdvance(advance),
  }),
  reply: ({ reply }: StepOf<"reply">): ControlCall => ({ id: "replyAsPerson", body: reply }),
  move: ({ id, move, with: body = {} }: StepOf<"move">): ControlCall => ({
    id: "moveRecord",
    params: { id, move },
    body,
  }),
  record: ({ record }: StepOf<"record">): ControlCall => ({ id: "getRecord", params: { id: record } }),
  pay: ({ pay: { reference, ...body } }: StepOf<"pay">): ControlCall => ({
    id: "payCheckout",
    params: { reference },
    body,
  }),
  visit: ({ visit: { id, accuracy_m = defaultAccuracyM, ...place } }: StepOf<"visit">): ControlCall => ({
    id: "visitAddress",
    params: { id },
    body: { ...place, accuracy_m },
  }),
};
