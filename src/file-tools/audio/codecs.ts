/** Names the codec of files that cannot be decoded, for error messages. */
import { UnreadableFileError } from "../engine.js";
import { readPages } from "./ogg-pages.js";
import { readWaveFormat } from "./riff.js";

export const sendSupported = "send mp3, wav, aac, flac, ogg or m4a";

/** The file's codec has no built-in decoder. */
export class UnsupportedCodecError extends UnreadableFileError {
  constructor(container: string, codec: string) {
    super(`it contains ${codec} in ${container}, which has no built-in decoder; ${sendSupported}`);
  }
}

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
  const { tag = 0, bits = 0 } = readWaveFormat(wav) ?? {};
  return `${bits === 0 ? "" : `${bits}-bit `}${wavCodecs[tag] ?? `codec ${tag}`} audio`;
}

/** Returns the name of an audio codec in an Ogg file that mediabunny does not recognise, or null if it is not known. */
export function findOggCodec(ogg: Uint8Array): string | null {
  for (const { body } of readPages(ogg)) {
    const [name] = /^(?:Speex {3}|CELT {4}|PCM {5})/.exec(body.toString("latin1", 0, 8)) ?? [];
    if (name) return name.trim();
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
