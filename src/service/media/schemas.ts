/** Interface: "Media scan", with the fields of each media type. Assumption media.verdicts. */
import * as Type from "typebox";
import { exactly, id, naira, Timestamp } from "../../contract/schemas.js";

const assumed = { "x-assumption": "media.verdicts" };

export const MediaType = Type.Enum(["image", "video", "text"], { description: "Kind of media" });
const Count = Type.Integer({ minimum: 0 });

const Signal = exactly({
  category: Type.String(),
  severity: Type.Enum(["weak", "moderate", "strong"], assumed),
  title: Type.String(),
  detail: Type.String(),
  measured: Type.String({ description: "Measured value", ...assumed }),
});

const conclusion = {
  status: Type.Literal("completed", assumed),
  verdict: Type.Enum(["likely_authentic", "likely_ai", "likely_edited", "inconclusive"], assumed),
};

const scan = <Kind extends string, Own extends Type.TProperties>(kind: Kind, own: Own) =>
  exactly({
    id: id("scn_"),
    media_type: Type.Literal(kind),
    ...conclusion,
    signals: Type.Array(Signal, { description: "The signals that fired" }),
    signal_count: Count,
    ...own,
    cost: naira(),
    is_test: Type.Boolean(),
    created_at: Timestamp,
  });

const classifier_model = Type.String({ description: "Name of the classifier" });

export const ImageScan = scan("image", { classifier_model });

export const TextScan = scan("text", { classifier_model, text_char_count: Count });

export const VideoScan = scan("video", {
  duration_seconds: Type.Number({ minimum: 0 }),
  frames_sampled: Type.Integer({ minimum: 4, maximum: 30 }),
});

export const MediaScanSummary = exactly({
  id: id("scn_"),
  media_type: MediaType,
  ...conclusion,
  signal_count: Count,
  cost: naira(),
  created_at: Timestamp,
});
