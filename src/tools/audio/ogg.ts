/** Ogg Vorbis by libvorbis, with our tags, and the same serial number every time. */
import encoder from "@audio/encode-ogg";
import { firstPage, headerPages, type Page, packetsOf, pagesOf, seal } from "./ogg-pages.js";
import { ascii, concat, Sink } from "./sink.js";
import type { Encoder, Format, Tags } from "./sound.js";
import { vorbisComment } from "./vorbis-comment.js";

/** About 160 kbit/s of stereo. */
const quality = 5;
const bytesPerSecond = 22_000;
const serial = 1;
const commentType = 3;

/** Identification, comment and setup; the audio begins on a page of its own. */
function headerOf(ogg: Uint8Array): { packets: Uint8Array[]; bytes: number } {
  const pages: Page[] = [];
  for (const page of pagesOf(ogg)) {
    pages.push(page);
    const packets = packetsOf(pages);
    if (packets.length < 3) continue;
    if (packets.length > 3) break;
    return { packets, bytes: pages.reduce((sum, { bytes }) => sum + bytes.length, 0) };
  }
  throw new Error("the Vorbis encoder wrote no header of its own");
}

/** An Ogg Vorbis file with these tags in place of its own. */
export function withTags(ogg: Uint8Array, tags: Tags): Uint8Array {
  const { packets, bytes } = headerOf(ogg);
  const [identification = new Uint8Array(), , setup = new Uint8Array()] = packets;
  const comment = concat([
    Uint8Array.of(commentType),
    ascii("vorbis"),
    vorbisComment(tags, { pictures: true }),
    Uint8Array.of(1),
  ]);
  const header = [...headerPages([identification], firstPage), ...headerPages([comment, setup], 0)];
  const whole = concat([...header, ogg.subarray(bytes)]);
  let sequence = 0;
  for (const page of pagesOf(whole)) seal(page.bytes, serial, sequence++);
  return whole;
}

export async function oggEncoder({ rate, channels, seconds, tags }: Format): Promise<Encoder> {
  const vorbis = await encoder({ sampleRate: rate, channels, quality });
  const sink = new Sink(seconds * bytesPerSecond + 65_536);
  return {
    add: (planes) => sink.write(vorbis.encode(planes)),
    finish() {
      sink.write(vorbis.flush());
      return withTags(sink.whole(), tags);
    },
  };
}
