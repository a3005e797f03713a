/** Reads the packets of a track, within limits. */
import { EncodedPacketSink } from "mediabunny";
import { UnreadableFileError } from "../engine.js";
import type { AudioSource } from "./audio-types.js";

/** More packets than two hours of audio can have. */
const maxPackets = 2e6;

/** A few bytes of a container's index can reference empty or identical packets billions of times. */
const tooManyPackets = "its index references more audio than the file contains; send a file that plays";

export async function* readPackets({ track, bytes }: AudioSource): AsyncGenerator<Uint8Array> {
  let [packets, total] = [0, 0];
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    total += data.length;
    packets++;
    if (data.length === 0 || total > bytes.length || packets > maxPackets)
      throw new UnreadableFileError(tooManyPackets);
    yield data;
  }
}
