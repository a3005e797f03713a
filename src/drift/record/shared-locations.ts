/** Places where people were: a run uses the place of the address itself, so that no place of a person is written. */

import { isObject } from "../../contract/json.js";
import { nameOfResult } from "../../scenarios/record/known-values.js";
import type { Recorder } from "../../scenarios/record/recorder.js";
import { hasSucceeded, type RecordedCall } from "../../scenarios/record/session-log.js";

/** Degrees, about 1 km. */
const maxDistance = 0.01;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const placeholder = (id: unknown, axis: keyof Place): string => `${axis} of ${String(id)}`;

export class SharedLocations {
  readonly #addresses = new Map<string, Place>();

  constructor(readonly recorder: Recorder) {}

  /** Notes where the address of a new check is. */
  remember(call: RecordedCall): void {
    if (call.operation.id !== "verifyAddress" || !hasSucceeded(call) || !isObject(call.reply)) return;
    const { id, address } = call.reply;
    const step = this.recorder.steps.at(-1);
    if (!isPlace(address) || typeof id !== "string" || !step) return;
    this.#addresses.set(id, address);
    for (const axis of ["latitude", "longitude"] as const)
      this.recorder.known.set(
        placeholder(id, axis),
        step,
        nameOfResult(call.operation.id),
        `address.${axis}`,
      );
  }

  /** Returns the call with a reference to the address in place of a location close to it. */
  replace(call: RecordedCall): RecordedCall {
    const { operation, params, body } = call;
    const address = this.#addresses.get(params.id ?? "");
    if (operation.id !== "submitAddressLocation" || !address || !isPlace(body)) return call;
    const isClose = (axis: keyof Place) => Math.abs(body[axis] - address[axis]) < maxDistance;
    if (!isClose("latitude") || !isClose("longitude")) return call;
    const [latitude, longitude] = (["latitude", "longitude"] as const).map((axis) =>
      placeholder(params.id, axis),
    );
    return { ...call, body: { ...(body as object), latitude, longitude } };
  }
}

const isPlace = (value: unknown): value is Place =>
  isObject(value) && typeof value.latitude === "number" && typeof value.longitude === "number";
