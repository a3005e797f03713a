/**
 * Bounds the memory that pdf.js unpacks streams into, for encrypted files, whose streams can be measured only once they
 * are decrypted. pdf.js has no option for it, so the global constructors that it uses are replaced while it works.
 */
import { bytesPerMb, maxUnpackedBytes, tooMuchData } from "./unpacked-size.js";

/** A power of two, as pdf.js doubles its buffers. */
const maxArrayBytes = 128 * bytesPerMb;

/** Runs the work. Rejects with `UnreadableFileError` if it would have taken too much memory. */
export async function withBoundedArrays<T>(work: () => Promise<T>): Promise<T> {
  const constructors = ["Uint8Array", "DecompressionStream"] as const;
  const originals = constructors.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  let isExceeded = false;
  const allow = (bytes: number): void => {
    if (bytes < bytesPerMb) return;
    isExceeded ||= bytes > maxArrayBytes || process.memoryUsage().arrayBuffers + bytes > maxUnpackedBytes;
    if (isExceeded) throw new RangeError("too much memory");
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number") allow(given[0]);
      return Reflect.construct(target, given, newTarget);
    },
  });
  // It unpacks outside of arrays. pdf.js does without it.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  try {
    const result = await work();
    // pdf.js replaces what it cannot read with nothing.
    if (!isExceeded) return result;
  } catch (error) {
    if (!isExceeded) throw error;
  } finally {
    for (const [at, name] of constructors.entries())
      Object.defineProperty(globalThis, name, originals[at] as PropertyDescriptor);
  }
  throw tooMuchData(maxArrayBytes);
}
