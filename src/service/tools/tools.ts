/** Interface: "File tools": the operations that convert a file or draw a logo. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import type { Client } from "../../contract/operation.js";
import { refuseNotInstalled } from "../../contract/optional-packages.js";
import { Answer, Binary } from "../../contract/reply-forms.js";
import { coded } from "../../contract/schemas.js";
import type { UploadedFile } from "../../contract/upload.js";
import { findFrames } from "../../file-tools/audio/mp3-frames.js";
import { conversionPool } from "../../file-tools/conversions.js";
import {
  type Conversion,
  EngineFailedError,
  PoolBusyError,
  UnreadableFileError,
} from "../../file-tools/engine.js";
import type { EngineName, EngineOptions } from "../../file-tools/engines.js";
import { operation, type ServiceSettings } from "../operation.js";

// Shared by the tools that convert a file: running the engine, refusals, and the name of the converted file.

const pdfType = "application/pdf";
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const conversionOutcomes = {
  converted: "the file is converted",
  unreadable: "the file cannot be read: file_unreadable",
} as const;

interface ConversionCall {
  account: { readonly id: string };
  files: { file: UploadedFile };
  outcome: string;
  settings: ServiceSettings;
  client: Client;
}

type PreparedCall = Omit<ConversionCall, "settings"> & { prepared: Conversion | null };

/** Converts the file, for an operation's `prepare`. Returns null if the outcome is a refusal. */
async function convertFile<N extends EngineName>(
  { account, files: { file }, outcome, settings, client }: ConversionCall,
  engine: N,
  options: EngineOptions[N],
): Promise<Conversion | null> {
  if (outcome !== "converted") return null;
  try {
    const bytes = file.bytes as Buffer;
    const pool = await conversionPool(settings);
    return await pool.convert(account.id, engine, bytes, options, client.gone);
  } catch (error) {
    const name = JSON.stringify(file.filename.slice(0, 80));
    if (error instanceof UnreadableFileError)
      refuse("file_unreadable", { param: "file", message: `${name}: ${error.message}.` });
    if (error instanceof EngineFailedError) {
      const [reason] = error.message.split("\n");
      const message = `${name}: the sandbox failed to convert the file, which is a fault of its ${engine} engine and not of the file (${reason}); the log of the sandbox has the details.`;
      refuse("file_unreadable", { param: "file", message, failure: `${engine}: ${error.message}` });
    }
    if (error instanceof PoolBusyError)
      refuse("rate_limited", {
        message: `${error.message}; try again in a moment.`,
        headers: { "Retry-After": "5" },
      });
    refuseNotInstalled(error);
  }
}

/** Headers of the reply of a converted document, with their descriptions. */
const documentHeaders = {
  "X-Sandbox-Left-Out":
    "What the document has and the result lacks, such as `2 charts, 1 shape`, as far as is known",
} as const;

/** Replies with the converted document and lists what it lacks, for an operation's `handle`. */
function replyWithDocument(call: PreparedCall, contentType: string, extension: string): Answer<Binary> {
  const file = replyWithFile(call, contentType, extension);
  const leftOut = call.prepared?.leftOut ?? null;
  return new Answer(200, file, leftOut === null ? {} : { "X-Sandbox-Left-Out": leftOut });
}

/** Replies with the converted file, named after the upload, for an operation's `handle`. */
function replyWithFile(call: PreparedCall, contentType: string, extension: string): Binary {
  // An error inside the commit avoids charging a client that has disconnected.
  call.client.gone.throwIfAborted();
  if (call.outcome === "unreadable") {
    const message = "The file cannot be read: the outcome unreadable was requested.";
    refuse("file_unreadable", { param: "file", message, byOutcome: true });
  }
  const name = call.files.file.filename.replace(/\.[^.]*$/, "") || "file";
  return new Binary(contentType, call.prepared?.bytes ?? new Uint8Array(), `${name}.${extension}`);
}

export const createStoreAssets = operation({
  id: "createStoreAssets",
  route: "POST /v1/tools/store-assets",
  summary: "Create every icon and screenshot size that the app stores require",
  description: "Free with the tools monthly pass.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    kind: Type.Enum(["icon", "screenshot", "splash"]),
    platform: Type.Enum(["play", "ios", "both"]),
  }),
  upload: {
    file: {
      maxMB: 15,
      types: ["image/png", "image/jpeg"],
      description: "PNG or JPG image",
      keep: true,
    },
  },
  reply: {
    200: {
      contentType: "application/zip",
      description: "Zip file of all images, each named by size and folder",
    },
  },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,
  price: ({ account }) => (account.settings.tools_pass ? null : "store_assets"),
  assumptions: ["files.store_assets_limit"],

  prepare: (call) => convertFile(call, "store-assets", call.body),
  handle: (call) => replyWithFile(call, "application/zip", "zip"),
});

export const convertPdfToDocx = operation({
  id: "convertPdfToDocx",
  route: "POST /v1/tools/pdf-to-docx",
  summary: "Convert a PDF to DOCX",
  description:
    "Returns the document with its text, tables and pictures. If reading takes more than 35 s, a last page names the pages that are left out.",
  auth: "key",
  isHarmless: true,
  upload: { file: { maxMB: 20, types: [pdfType], description: "PDF file", keep: true } },
  reply: { 200: { contentType: docxType, description: "Document as .docx", headers: documentHeaders } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "pdf-to-docx", { scans: call.settings.tools.scans }),
  handle: (call) => replyWithDocument(call, docxType, "docx"),
});

/** A DOCX file whose content types come late in the archive is detected as a zip file. */
const docxTypes = [docxType, "application/zip"];

export const convertDocxToPdf = operation({
  id: "convertDocxToPdf",
  route: "POST /v1/tools/docx-to-pdf",
  summary: "Convert a DOCX to PDF",
  description: "Returns the document with its layout.",
  auth: "key",
  isHarmless: true,
  upload: { file: { maxMB: 20, types: docxTypes, description: "DOCX file", keep: true } },
  reply: { 200: { contentType: pdfType, description: "Document as .pdf", headers: documentHeaders } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "docx-to-pdf", {}),
  handle: (call) => replyWithDocument(call, pdfType, "pdf"),
});

/** Media types as detected from the bytes; an m4a file may look like a video. */
const audioTypes = [
  "audio/mpeg",
  "audio/wav",
  "audio/aac",
  "audio/flac",
  "audio/ogg",
  "audio/ogg; codecs=opus",
  "audio/x-m4a",
  "audio/mp4",
  "video/mp4",
];

const startsWith = (start: Uint8Array, signature: string): boolean =>
  signature === String.fromCharCode(...start.subarray(0, signature.length));

/** Returns the type of audio that is not detected by its first bytes alone. */
function recognize(start: Uint8Array): string | null {
  if (startsWith(start, "RF64")) return "audio/wav";
  // Players skip what precedes the first frame of MP3.
  return findFrames(start, 0) < 0 ? null : "audio/mpeg";
}

/** Media types of the replies. */
const replyTypes = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  aac: "audio/aac",
  flac: "audio/flac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
} as const;

export const convertAudio = operation({
  id: "convertAudio",
  route: "POST /v1/tools/audio-convert",
  summary: "Convert audio to another format",
  description: "Converts between mp3, wav, aac, flac, ogg and m4a.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({ target_format: Type.Enum(["mp3", "wav", "aac", "flac", "ogg", "m4a"]) }),
  upload: {
    file: {
      maxMB: 50,
      types: audioTypes,
      description: "Audio as mp3, wav, aac, flac, ogg or m4a",
      recognize,
      keep: true,
    },
  },
  reply: { 200: { contentType: "audio/*", description: "Audio in the target format" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "audio", { target: call.body.target_format }),
  handle: (call) => replyWithFile(call, replyTypes[call.body.target_format], call.body.target_format),
});

/** A cut below this confidence is a guess. */
const minConfidence = 0.5;

export const removeBackground = operation({
  id: "removeBackground",
  route: "POST /v1/tools/remove-background",
  summary: "Remove the background of an image",
  description: "Returns a PNG of the same size with a transparent background.",
  auth: "key",
  isHarmless: true,
  upload: {
    file: {
      maxMB: 15,
      types: ["image/png", "image/jpeg", "image/webp"],
      description: "PNG, JPEG or WebP image",
      keep: true,
    },
  },
  reply: {
    200: {
      contentType: "image/png",
      description: "Transparent PNG",
      headers: {
        "X-Sandbox-Cut-Confidence": "How sure the cut is, from 0.00 (no background was found) to 1.00",
      },
    },
  },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,
  assumptions: ["files.background"],

  prepare: (call) => convertFile(call, "background", {}),

  handle(call) {
    const confidence = call.prepared?.confidence ?? 0;
    if (call.prepared && confidence < minConfidence && call.assumptions["files.background"] === "refused")
      refuse("file_unreadable", {
        param: "file",
        message: `${JSON.stringify(call.files.file.filename.slice(0, 80))}: its background is not plain enough to be told from the object (confidence ${confidence.toFixed(2)}); send a picture on a plain background.`,
      });
    const file = replyWithFile(call, "image/png", "png");
    return new Answer(200, file, { "X-Sandbox-Cut-Confidence": confidence.toFixed(2) });
  },
});

const Colour = Type.String({
  pattern: "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$",
  description: "Hex colour",
  ...coded("validation_error", "a hex colour such as #0F766E or #FFF"),
  "x-assumption": "logo.colours",
  examples: ["#0F766E"],
});

export const generateLogo = operation({
  id: "generateLogo",
  route: "POST /v1/tools/generate-logo",
  summary: "Generate an SVG logo",
  description: "Returns the markup at once. The same request gives the same logo.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    company_name: Type.String({ minLength: 1, examples: ["Ada Stores"] }),
    style: Type.Enum(["monogram", "badge", "abstract", "wordmark"]),
    primary_color: Colour,
    secondary_color: Colour,
    size: Type.Integer({ minimum: 1, description: "Width and height in pixels", examples: [512] }),
  }),
  reply: { 200: { contentType: "image/svg+xml", description: "SVG markup" } },

  prepare: async () => (await import("./logo.js")).drawLogo,

  handle({ body: { company_name, style, primary_color, secondary_color, size }, prepared: drawLogo }) {
    const colours = { primary: primary_color, secondary: secondary_color };
    const svg = drawLogo({ name: company_name, style, size, ...colours });
    return new Binary("image/svg+xml", Buffer.from(svg), "logo.svg");
  },
});
