/** Encodes Ogg Vorbis with libvorbis, with our tags and a fixed serial number. */
import encoder from "@audio/encode-ogg";
import type { Encoder, EncoderSettings, Tags } from "./audio-types.js";
import {
  finalizePage,
  firstPageFlag,
  joinPackets,
  type OggPage,
  packHeaderPages,
  readPages,
} from "./ogg-pages.js";
import { OutputBuffer } from "./output-buffer.js";
import { vorbisComment } from "./vorbis-comment.js";

/** About 160 kbit/s for stereo. */
const quality = 5;
const estimatedBytesPerSecond = 22_000;
const streamSerial = 1;
const commentType = 3;

/** Reads the identification, comment and setup packets. The audio starts on a new page after them. */
function readVorbisHeaders(ogg: Uint8Array): { packets: Uint8Array[]; bytes: number } {
  const pages: OggPage[] = [];
  for (const page of readPages(ogg)) {
    pages.push(page);
    const packets = joinPackets(pages);
    if (packets.length < 3) continue;
    if (packets.length > 3) break;
    return { packets, bytes: pages.reduce((sum, { bytes }) => sum + bytes.length, 0) };
  }
  throw new Error("the Vorbis stream has no complete header");
}

/** Returns the Ogg Vorbis file with its tags replaced. */
export function replaceTags(ogg: Uint8Array, tags: Tags): Uint8Array {
  const { packets, bytes } = readVorbisHeaders(ogg);
  const [identification = new Uint8Array(), , setup = new Uint8Array()] = packets;
  const comment = Buffer.concat([
    Uint8Array.of(commentType),
    Buffer.from("vorbis"),
    vorbisComment(tags, { pictures: true }),
    Uint8Array.of(1),
  ]);
  const header = [
    ...packHeaderPages([identification], firstPageFlag),
    ...packHeaderPages([comment, setup], 0),
  ];
  const whole = Buffer.concat([...header, ogg.subarray(bytes)]);
  let sequence = 0;
  for (const page of readPages(whole)) finalizePage(page.bytes, streamSerial, sequence++);
  return whole;
}

export async function createOggEncoder({ rate, channels, seconds, tags }: EncoderSettings): Promise<Encoder> {
  const vorbis = await encoder({ sampleRate: rate, channels, quality });
  const output = new OutputBuffer(seconds * estimatedBytesPerSecond + 65_536);
  return {
    add: (planes) => output.write(vorbis.encode(planes)),
    finish() {
      output.write(vorbis.flush());
      return replaceTags(output.finish(), tags);
    },
  };
}
