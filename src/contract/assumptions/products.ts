import type { Assumption } from "../assumptions.js";
import { facts } from "./facts.js";

/** Interface: "Real-time sessions", "File tools", "Website audits and domains" and "Media scans". */
export const productRows = [
  {
    id: "sessions",
    question: "Which statuses has a session, what is its token and what does a minute cost?",
    default: facts(
      "`active`, `completed`, `expired`; a token lives 60 minutes.",
      "The token is a LiveKit access token: HS256, `video` grants from the role.",
      "Its key and secret are configurable, so that a local media server accepts it.",
      "Prices per minute: video 5, voice 2, stream 8.",
      "A move ends a session with its minutes.",
    ),
    reason: "Room, identity, publisher and viewer with a secure websocket URL are the vocabulary of LiveKit.",
  },
  {
    id: "audits",
    question: "Which categories, severities and grades has an audit, and how long does a deep one take?",
    default: facts(
      "Categories: security, performance, seo, accessibility, best_practices.",
      "Severities: info, warning, critical.",
      "A from 90, B from 80, C from 70, D from 60, else F.",
      "A deep audit takes 4 minutes; its completion e-mail lands in the inbox; a failed one is refunded.",
    ),
    reason: "Four of the categories are the documented lighthouse keys, and the grades are those of schools.",
  },
  {
    id: "media.verdicts",
    question: "Which verdicts and severities has a media scan beside those observed?",
    default: "Verdict `likely_edited` too; severities `weak`, `moderate`, `strong`.",
    reason: "A scan also looks for doctoring, and strong is the step above moderate.",
  },
  {
    id: "files.store_assets_limit",
    question: "How large may a store-assets upload be?",
    default: "15 MB.",
    reason: "It is the documented limit of the other image tool.",
  },
] as const satisfies readonly Assumption[];
