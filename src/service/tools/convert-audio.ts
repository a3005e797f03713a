import * as Type from "typebox";
import { findFrames } from "../../file-tools/audio/mp3-frames.js";
import { operation } from "../operation.js";
import { conversionOutcomes, convertFile, replyWithFile } from "./file-conversion.js";

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
  "audio/aiff",
  "audio/x-caf",
];

const startsWith = (start: Uint8Array, signature: string): boolean =>
  signature === String.fromCharCode(...start.subarray(0, signature.length));

/** Returns the type of audio that is not detected by its first bytes alone. */
function recognize(start: Uint8Array): string | null {
  if (startsWith(start, "RF64")) return "audio/wav";
  if (startsWith(start, "caff")) return "audio/x-caf";
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
  description: "Converts between mp3, wav, aac, flac, ogg and m4a. AIFF and CAF are read as well.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({ target_format: Type.Enum(["mp3", "wav", "aac", "flac", "ogg", "m4a"]) }),
  upload: {
    file: {
      maxMB: 50,
      types: audioTypes,
      description: "Audio as mp3, wav, aac, flac, ogg, m4a, AIFF or CAF",
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
