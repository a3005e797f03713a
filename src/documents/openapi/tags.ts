/** Groups operations under tags by path. */
import { pathOf, type Route } from "../../contract/operation.js";

export interface Tag {
  readonly name: string;
  readonly description: string;
  /** Path prefixes of its operations. */
  readonly paths: readonly string[];
}

/** The groups of the interface, with its descriptions ("What the service does"). */
export const serviceTags: readonly Tag[] = [
  {
    name: "Phone code verification",
    description: "Send a one-time code by SMS to a phone number and check what the user typed.",
    paths: ["/v1/phone"],
  },
  {
    name: "Identity and data verification",
    description:
      "BVN, NIN, driver's licence, bank-account name lookup, BVN-to-bank-account match, address check, " +
      "ID-document OCR, liveness check, face comparison.",
    paths: ["/v1/verify"],
  },
  {
    name: "Real-time sessions",
    description: "Issue a short-lived access token for a video, voice or stream room and list sessions.",
    paths: ["/v1/streaming"],
  },
  {
    name: "Account",
    description: "Balance, usage history, pricing.",
    paths: ["/v1/balance", "/v1/usage", "/v1/pricing"],
  },
  {
    name: "File tools",
    description:
      "PDF to DOCX, DOCX to PDF, audio conversion, background removal, app-store asset generation, SVG logo generation.",
    paths: ["/v1/tools"],
  },
  {
    name: "Website audits",
    description: "Synchronous standard audit, background deep audit, domain ownership verification.",
    paths: ["/v1/audits", "/v1/domains"],
  },
  {
    name: "Media scans",
    description: "Detection of AI generation or doctoring in images, text and video.",
    paths: ["/v1/media-scan"],
  },
  {
    name: "Messaging-app channels",
    description:
      "List linked numbers, send a message, send and check a one-time code, ask an identity question and read its result.",
    paths: ["/v1/wa"],
  },
  {
    name: "Business payments",
    description:
      "Business profile, overview of limit, balance and fees, per-customer virtual bank accounts, card checkout links, " +
      "payments list, test-mode payment simulation, payouts, refunds, activity log.",
    paths: ["/v1/business"],
  },
  {
    name: "Webhooks",
    description: "Signed JSON deliveries of results and account events to a registered URL.",
    paths: ["/v1/webhooks"],
  },
];

const covers = (tag: Tag, path: string): boolean =>
  tag.paths.some((start) => path === start || path.startsWith(`${start}/`));

/** Returns the tag of an operation. If no tag covers its path, returns one named after the path's second segment. */
export function tagOf(operation: { route: Route }, tags: readonly Tag[]): Tag {
  const path = pathOf(operation);
  const [first = "", second] = path.split("/").filter(Boolean);
  const start = second === undefined ? `/${first}` : `/${first}/${second}`;
  return (
    tags.find((tag) => covers(tag, path)) ?? {
      name: second ?? first,
      description: `Operations under ${start}.`,
      paths: [start],
    }
  );
}
