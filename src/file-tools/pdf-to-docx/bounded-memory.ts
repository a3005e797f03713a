/**
 * Bounds the memory that pdf.js and PDFium use for a file, whatever its streams unpack to and its pictures declare.
 * They have no option for it, so the constructors with which they allocate are replaced while they work.
 */
import { UnreadableFileError } from "../engine.js";

export const bytesPerMb = 2 ** 20;
/** Maximum size in bytes of an array: a power of two, because pdf.js doubles its buffers. */
const maxArrayBytes = 128 * bytesPerMb;
/**
 * Size in bytes that no array can have, so that nothing is allocated. Damaged files request such sizes, and pdf.js
 * continues without the array.
 */
const impossibleBytes = 2 ** 33;
const maxTotalBytes = 512 * bytesPerMb;
const wasmPageBytes = 65_536;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The memory of WebAssembly, which the types of the language lack. */
export const { Memory } = Reflect.get(globalThis, "WebAssembly") as {
  Memory: { new (size: { initial: number }): WasmMemory; prototype: WasmMemory };
};

const Decompression = DecompressionStream;
const arrays = ["Uint8Array", "Uint8ClampedArray", "Int16Array"] as const;

/** Returns a stream that unpacks at most as much as an array may have. */
const boundedDecompression = (refuseIf: (isTooMuch: boolean) => void) =>
  class {
    readonly readable: ReadableStream;
    readonly writable: WritableStream;

    constructor(format: "deflate") {
      const { readable, writable } = new Decompression(format);
      let bytes = 0;
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          refuseIf(bytes > maxArrayBytes);
          controller.enqueue(chunk);
        },
      });
      this.readable = readable.pipeThrough(count);
      this.writable = writable;
    }
  };

/** Runs the work. Rejects with `UnreadableFileError` if it would need too much memory. */
export async function withBoundedMemory<T>(work: () => Promise<T>): Promise<T> {
  // Arrays of an earlier file that have not been collected yet do not count.
  const before = process.memoryUsage().arrayBuffers;
  let isExceeded = false;
  const refuseIf = (isTooMuch: boolean): void => {
    isExceeded ||= isTooMuch;
    if (isExceeded) throw new RangeError("too much memory");
  };
  const replaced = [...arrays, "DecompressionStream"] as const;
  const originals = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const name of arrays)
    Reflect.set(
      globalThis,
      name,
      new Proxy(globalThis[name], {
        construct(target, given, newTarget) {
          const bytes = typeof given[0] === "number" ? given[0] * target.BYTES_PER_ELEMENT : 0;
          if (bytes >= bytesPerMb && bytes < impossibleBytes)
            refuseIf(
              bytes > maxArrayBytes || process.memoryUsage().arrayBuffers - before + bytes > maxTotalBytes,
            );
          return Reflect.construct(target, given, newTarget);
        },
      }),
    );
  Reflect.set(globalThis, "DecompressionStream", boundedDecompression(refuseIf));
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (pages) {
    refuseIf(this.buffer.byteLength + pages * wasmPageBytes > maxTotalBytes);
    return grow.call(this, pages);
  };
  try {
    const result = await work();
    // pdf.js omits what it cannot read.
    if (!isExceeded) return result;
  } catch (error) {
    if (!isExceeded) throw error;
  } finally {
    Memory.prototype.grow = grow;
    for (const [at, name] of replaced.entries())
      Object.defineProperty(globalThis, name, originals[at] as PropertyDescriptor);
  }
  throw new UnreadableFileError(
    `it unpacks to more than ${maxTotalBytes / bytesPerMb} MB, or a part of it to more than ${maxArrayBytes / bytesPerMb} MB; send it in parts or with smaller pictures`,
  );
}
