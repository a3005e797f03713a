/** A track's packets as the container has them. */
import { EncodedPacketSink } from "mediabunny";
import { Unreadable } from "../engine.js";
import type { Sound } from "./sound.js";

/** More than any two hours of audio have. */
const mostPackets = 2e6;

/** A table of contents of a few bytes may name the same packet, or none, billions of times. */
const tooMany = "its table of contents names more audio than the file holds; send a file that plays";

/** So many at once, the last time fewer. */
export async function* packetsOf({ track, bytes }: Sound, atOnce: number): AsyncGenerator<Uint8Array[]> {
  let [packets, total] = [0, 0];
  const batch: Uint8Array[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    total += data.length;
    packets++;
    if (data.length === 0 || total > bytes.length || packets > mostPackets) throw new Unreadable(tooMany);
    batch.push(data);
    if (batch.length === atOnce) yield batch.splice(0);
  }
  if (batch.length > 0) yield batch;
}
