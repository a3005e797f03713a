/** Names the codec of files that cannot be decoded, for error messages. */
import { joinPackets, readPages } from "./ogg-pages.js";
import { readWaveFormat } from "./riff.js";

/** By format tag of the `fmt ` chunk. */
const wavCodecs: Readonly<Record<number, string>> = {
  1: "PCM",
  2: "Microsoft ADPCM",
  3: "floating-point PCM",
  16: "OKI ADPCM",
  17: "IMA ADPCM",
  34: "TrueSpeech",
  49: "GSM 6.10",
  69: "G.726 ADPCM",
  80: "MPEG layer 2",
  85: "MP3",
  255: "AAC",
  352: "Windows Media Audio",
  353: "Windows Media Audio",
  354: "Windows Media Audio",
  8192: "AC-3",
};

/** Returns a text such as "4-bit IMA ADPCM audio", with the format tag of an unknown codec. */
export function describeWavCodec(wav: Uint8Array): string {
  const format = readWaveFormat(wav);
  if (!format) return "unknown audio";
  const { tag, bits } = format;
  return `${bits === 0 ? "" : `${bits}-bit `}${wavCodecs[tag] ?? `codec ${tag}`} audio`;
}

/** By the start of a stream's first packet. */
const oggCodecs: readonly (readonly [signature: string, name: string])[] = [
  ["Speex   ", "Speex"],
  ["CELT    ", "CELT"],
  ["PCM     ", "PCM"],
];

/** Returns the name of the audio codec in an Ogg file, or null if it is not known. */
export function findOggCodec(ogg: Uint8Array): string | null {
  for (const page of readPages(ogg)) {
    const [packet] = joinPackets([page]);
    const start = Buffer.from(packet?.subarray(0, 8) ?? []).toString("latin1");
    const found = oggCodecs.find(([signature]) => signature === start);
    if (found) return found[1];
  }
  return null;
}

/** By sample entry in MP4. */
const mp4Codecs: Readonly<Record<string, string>> = {
  samr: "AMR",
  sawb: "AMR-WB",
  sqcp: "QCELP",
  QDM2: "QDesign Music",
  "ac-4": "AC-4",
  mha1: "MPEG-H",
  mhm1: "MPEG-H",
};

/** Returns the name of a codec that mediabunny does not recognise, given the sample entry of its track. */
export const nameMp4Codec = (sampleEntry: unknown): string =>
  typeof sampleEntry === "string" && sampleEntry !== ""
    ? (mp4Codecs[sampleEntry] ?? `the codec ${sampleEntry}`)
    : "an unknown codec";
