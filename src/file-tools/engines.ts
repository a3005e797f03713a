/** All engines by name, each loaded when its first file arrives. */
import type { AudioOptions } from "./audio/convert.js";
import type { Engine } from "./engine.js";
import type { PdfOptions } from "./pdf-to-docx/convert.js";
import type { StoreAssetsOptions } from "./store-assets/make.js";

/** Options of an engine that has none. */
type NoOptions = Record<string, never>;

export interface EngineOptions {
  "store-assets": StoreAssetsOptions;
  "pdf-to-docx": PdfOptions;
  "docx-to-pdf": NoOptions;
  audio: AudioOptions;
  background: NoOptions;
}
export type EngineName = keyof EngineOptions;

export const engines: { readonly [N in EngineName]: () => Promise<Engine<EngineOptions[N]>> } = {
  "store-assets": async () => (await import("./store-assets/make.js")).makeStoreAssets,
  "pdf-to-docx": async () => (await import("./pdf-to-docx/convert.js")).pdfToDocx,
  "docx-to-pdf": async () => (await import("./docx-to-pdf/convert.js")).docxToPdf,
  audio: async () => (await import("./audio/convert.js")).encodeAudio,
  background: async () => (await import("./background/remove.js")).cutOutSubject,
};
