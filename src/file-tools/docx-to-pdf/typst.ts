/** Runs Typst, a typesetting engine in WebAssembly, with limited memory and without files, packages or a network. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import init, * as typst from "@myriaddreamin/typst-ts-web-compiler";
import { UnreadableFileError } from "../engine.js";
import { readFonts } from "./fonts.js";
import { placeholderFont } from "./placeholder-font.js";
import { withReadableText } from "./readable-text.js";

const pageBytes = 65_536;
/** Limit of the memory of WebAssembly in bytes, which the heap limit of the thread does not cover. */
const maxMemoryBytes = 448 * 1024 * 1024;
/** Memory of WebAssembly in bytes above which a thread ends after its file, because WebAssembly never releases memory. */
const maxKeptMemoryBytes = 64 * 1024 * 1024;

const memorySection = 5;

/** Reads an unsigned number in LEB128, and the position after it. */
function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, end: at };
  }
}

const numberBytes = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...numberBytes(value >>> 7)];

/** Declares a maximum for the module's memory, which is its only memory and has no maximum. */
function limitMemory(module: Buffer): Buffer {
  for (let at = 8; at < module.length; ) {
    const { value: length, end: start } = readNumber(module, at + 1);
    if (module[at] === memorySection) {
      const { value: least } = readNumber(module, start + 2);
      const limits = [1, 1, ...numberBytes(least), ...numberBytes(maxMemoryBytes / pageBytes)];
      const section = [memorySection, ...numberBytes(limits.length), ...limits];
      return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(start + length)]);
    }
    at = start + length;
  }
  throw new Error("the WebAssembly of Typst has no memory section");
}

const require = createRequire(import.meta.url);

async function start() {
  const file = readFileSync(require.resolve("@myriaddreamin/typst-ts-web-compiler/wasm"));
  const { memory } = await init({ module_or_path: limitMemory(file) });
  const resolver = new typst.TypstFontResolverBuilder();
  const fonts = readFonts((bytes) => resolver.get_font_info(bytes));
  return { memory, fonts };
}

let started: ReturnType<typeof start> | null = null;

/** Loads Typst and the fonts, once per thread. */
export const loadTypst = (): ReturnType<typeof start> => {
  started ??= start();
  return started;
};

interface Diagnostic {
  message: string;
}

const mainPath = "/main.typ";
export const maxPages = 2_000;
/** Option for messages with their positions. */
const fullDiagnostics = 3;

/** Lays out a document that is written in Typst. `pictures` are files by path, `missing` the characters that no font has. */
export async function renderPdf(
  source: string,
  pictures: ReadonlyMap<string, Uint8Array>,
  missing: ReadonlySet<string>,
): Promise<Uint8Array> {
  const { fonts } = await loadTypst();
  const builder = new typst.TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const { info, bytes } of fonts) await builder.add_lazy_font(info, () => bytes);
  if (missing.size > 0) await builder.add_raw_font(placeholderFont(missing));
  const compiler = await builder.build();
  for (const [path, bytes] of pictures) compiler.map_shadow(path, bytes);
  compiler.add_source(mainPath, source);
  const { result, diagnostics } = compile(compiler);
  // Frees the cache for similar documents.
  compiler.reset();
  compiler.free();
  if (!result) throw failure(diagnostics);
  return withReadableText(result);
}

/** Compiles the document. Typst cannot be used again if this throws. */
function compile(compiler: typst.TypstCompiler): { result?: Uint8Array; diagnostics: readonly Diagnostic[] } {
  try {
    return compiler.compile(mainPath, undefined, "pdf", fullDiagnostics);
  } catch (error) {
    throw error instanceof Error && error.name === "RuntimeError" ? outOfMemory() : error;
  }
}

const outOfMemory = (): UnreadableFileError =>
  new UnreadableFileError("converting the file takes too much memory; send a smaller one");

function failure(diagnostics: readonly Diagnostic[]): Error {
  const messages = diagnostics.map(({ message }) => message).join("; ");
  return messages.includes("too many pages")
    ? new UnreadableFileError(`the document has more than ${maxPages} pages`)
    : new Error(`Typst failed: ${messages}`);
}

/** Returns whether the thread has grown so large that it should end. */
export const isLarge = async (): Promise<boolean> =>
  (await loadTypst()).memory.buffer.byteLength > maxKeptMemoryBytes;
