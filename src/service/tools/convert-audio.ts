import * as Type from "typebox";
import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { convert, reply } from "./file-conversion.js";
import { conversionOutcomes } from "./outcomes.js";

/** As the bytes show themselves: an m4a may look like a video. */
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

/** Of what comes back. */
const audioTypeOf = {
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
  auth: "key",
  body: Type.Object({ target_format: Type.Enum(["mp3", "wav", "aac", "flac", "ogg", "m4a"]) }),
  upload: {
    file: {
      maxBytes: 50 * MB,
      types: audioTypes,
      description: "mp3, wav, aac, flac, ogg or m4a",
      keep: true,
    },
  },
  reply: { 200: { contentType: "audio/*", description: "The audio in the target format" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) =>
    convert(call, "audio", { target: call.body.target_format, ffmpeg: call.settings.tools.ffmpeg }),
  handle: (call) => reply(call, audioTypeOf[call.body.target_format], call.body.target_format),
});
