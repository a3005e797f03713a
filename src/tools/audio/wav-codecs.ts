/** What a WAV may hold beside PCM, by the number in its format chunk. */
const codecs: Readonly<Record<number, string>> = {
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
const extensible = 0xfffe;

/** "IMA ADPCM audio of 4 bits"; of one that is not in the list its number. */
export function sayWavCodec(bytes: Uint8Array): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf("fmt ", 12, "latin1") + 8;
  if (at < 20 || at + 16 > file.length) return "audio of an unknown kind";
  const first = file.readUInt16LE(at);
  // There the number begins a longer name.
  const tag = first === extensible && at + 26 <= file.length ? file.readUInt16LE(at + 24) : first;
  const bits = file.readUInt16LE(at + 14);
  return `${codecs[tag] ?? `codec ${tag}`} audio${bits === 0 ? "" : ` of ${bits} bits`}`;
}
