/** Names of WAV codecs by the format tag in the `fmt ` chunk, for error messages. */
const codecNames: Readonly<Record<number, string>> = {
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
const extensibleFormat = 0xfffe;

/** Returns a text such as "4-bit IMA ADPCM audio", with the format tag of an unknown codec. */
export function describeWavCodec(bytes: Uint8Array): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf("fmt ", 12, "latin1") + 8;
  if (at < 20 || at + 16 > file.length) return "unknown audio";
  const first = file.readUInt16LE(at);
  // In the extensible format, the format tag is the start of the sub-format GUID.
  const tag = first === extensibleFormat && at + 26 <= file.length ? file.readUInt16LE(at + 24) : first;
  const bits = file.readUInt16LE(at + 14);
  return `${bits === 0 ? "" : `${bits}-bit `}${codecNames[tag] ?? `codec ${tag}`} audio`;
}
