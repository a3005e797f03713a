import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Media scans". */
export const mediaRows = [
  {
    id: "media.verdicts",
    question:
      "Which statuses does a media scan have, and which verdicts and severities besides the observed ones?",
    default: facts(
      "A scan is synchronous and always has the status `completed`.",
      "The additional verdict is `likely_edited`; the severities are `weak`, `moderate` and `strong`.",
    ),
    reason: "A scan also detects doctoring, and strong is the next step after moderate.",
  },
  {
    id: "media.signals",
    question: "Which signals does a scan have, and how do they lead to the verdict?",
    default: facts(
      "Signals are measured: metadata, dimensions, noise and compression of an image; sentences, words and phrases of a text; the container of a video.",
      "Each supports a verdict with weight 1 (weak), 2 (moderate) or 4 (strong); a verdict needs a weight of 3, otherwise it is `inconclusive`.",
      "An outcome or file name that requests a verdict adds a classifier signal, whose `measured` names it.",
      "A text is trimmed before it is counted and scanned.",
      "`measured` is a text. Characters of a text are Unicode code points, for its minimum of 800 as well.",
    ),
    reason: "The interface shows signals and no percentage, and a sandbox has no classifier.",
  },
  {
    id: "media.images",
    question: "Which images can be scanned?",
    default: facts(
      "PNG, JPEG, WebP, GIF, AVIF, HEIC and BMP of up to 200 megapixels.",
      "Above 50 megapixels, or if the pixels cannot be decoded, only the metadata is used; a damaged picture still gets a result.",
    ),
    reason: "Phones and browsers produce these formats, and a scan uses what it can read.",
  },
  {
    id: "media.videos",
    question: "Which videos can be scanned?",
    default: facts(
      "MP4, MOV, 3GP, WebM, Matroska and AVI files whose container states a duration; others get 422 `file_unreadable`.",
      "More than 300 seconds get `video_too_long`. A file whose index states a duration is accepted even if frames are missing.",
      "A `frames` that is not an integer gets `validation_error`; one outside 4 to 30 gets `frames_out_of_range`.",
    ),
    reason: "The limit of five minutes can only be checked if the duration is known.",
  },
] as const satisfies readonly Assumption[];
