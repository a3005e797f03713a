/** Probe of the units of upload limits. */
import type { Assumptions } from "../../contract/assumptions.js";
import { isRefusal, type ServiceReply } from "../service-client.js";
import type { Probe, ProbeContext } from "./probe.js";

/** A PNG of one pixel. Readers ignore what follows its end. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const pictureOf = (bytes: number): File =>
  new File([pixel, new Uint8Array(bytes - pixel.length)], "standin-drift.png", { type: "image/png" });

/** The interface limits pictures of this operation to 15 MB. */
const upload = ({ service }: ProbeContext, bytes: number): Promise<ServiceReply> =>
  service.call("removeBackground", { files: { file: pictureOf(bytes) } });

/** More than 15 MB in either unit, and an amount between the two. */
const tooLarge = 15 * 1024 * 1024 + 1024;
const between = 15_360_000;

export const uploadsMegabyte: Probe<Assumptions["uploads.megabyte"]> = {
  group: "tools",
  calls: 2,
  async observe(context) {
    const over = await upload(context, tooLarge);
    if (!isRefusal(over)) return { value: null, replies: [over], note: "a file over 15 MB is not refused" };
    const reply = await upload(context, between);
    return { value: reply.status === over.status ? "decimal" : "binary", replies: [over, reply] };
  },
};
