/** Probe of addresses that are not found. */
import type { Assumptions } from "../../service/assumptions.js";
import { valueIn } from "../service-client.js";
import type { Probe } from "./probe.js";

const nowhere = { address: "1 Zzqx Qzzv, Xqqz", full_name: "Standin Drift", country: "NG" };

export const unknownPosition: Probe<Assumptions["address.unknown_position"]> = {
  group: "identity",
  calls: 1,
  charges: { address: 1 },
  async observe({ service, reference }) {
    const body = { ...nowhere, radius_m: 200, reference: reference() };
    const reply = await service.call("verifyAddress", { body });
    const latitude = valueIn(reply, "address", "latitude");
    const value = latitude === null ? "null" : typeof latitude === "number" ? "numbers" : null;
    return { value, replies: [reply], note: `the latitude is ${String(latitude)}` };
  },
};
