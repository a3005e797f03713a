/** Silence as FLAC, written by hand: eight seconds in fourteen bytes. */

const samplesInFrame = 65_535;
/** As frames name them. */
const rates: Readonly<Record<number, number>> = { 8000: 4, 48000: 10 };

function crc(bytes: readonly number[], bits: 8 | 16, polynomial: number): number {
  const top = 2 ** (bits - 1);
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let i = 0; i < 8; i++)
      value = value & top ? ((value << 1) ^ polynomial) & (2 * top - 1) : value << 1;
  }
  return value;
}

/** As UTF-8 would write it. */
const coded = (number: number): number[] => [...Buffer.from(String.fromCodePoint(number))];

function frame(number: number, rate: number): number[] {
  const length = [(samplesInFrame - 1) >> 8, (samplesInFrame - 1) & 255];
  // Length in 16 bits; mono, 16 bits a sample.
  const head = [0xff, 0xf8, 0x70 | (rates[rate] ?? 0), 0x08, ...coded(number), ...length];
  const whole = [...head, crc(head, 8, 0x07), 0, 0, 0];
  const sum = crc(whole, 16, 0x8005);
  return [...whole, sum >> 8, sum & 255];
}

/** Its header may claim a length: else 0, not known. */
export function flacSilence(seconds: number, claimed: number, rate = 8_000): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(16, 0);
  info.writeUInt16BE(samplesInFrame, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(Math.round(claimed * rate)), 10);
  const frames = Math.ceil((seconds * rate) / samplesInFrame);
  const audio = Array.from({ length: frames }, (_, number) => Buffer.from(frame(number, rate)));
  return Buffer.concat([Buffer.from("fLaC\x80\0\0\x22", "latin1"), info, ...audio]);
}
