/** The sections of the interface ("What the service does"), with its descriptions. */

/** A group of operations, selected by their paths. */
export interface PathGroup {
  readonly name: string;
  readonly description: string;
  /** Path prefixes of its operations. */
  readonly paths: readonly string[];
}

/** Returns whether an operation with this path belongs to the group. */
export const covers = ({ paths }: Pick<PathGroup, "paths">, path: string): boolean =>
  paths.some((start) => path === start || path.startsWith(`${start}/`));

export const serviceSections = [
  {
    id: "phone",
    name: "Phone code verification",
    description: "Send a one-time code by SMS to a phone number and check what the user typed.",
    paths: ["/v1/phone"],
  },
  {
    id: "identity",
    name: "Identity and data verification",
    description:
      "BVN, NIN, driver's licence, bank-account name lookup, BVN-to-bank-account match, address check, " +
      "ID-document OCR, liveness check, face comparison.",
    paths: ["/v1/verify"],
  },
  {
    id: "sessions",
    name: "Real-time sessions",
    description: "Issue a short-lived access token for a video, voice or stream room and list sessions.",
    paths: ["/v1/streaming"],
  },
  {
    id: "account",
    name: "Account",
    description: "Balance, usage history, pricing.",
    paths: ["/v1/balance", "/v1/usage", "/v1/pricing"],
  },
  {
    id: "tools",
    name: "File tools",
    description:
      "PDF to DOCX, DOCX to PDF, audio conversion, background removal, app-store asset generation, SVG logo generation.",
    paths: ["/v1/tools"],
  },
  {
    id: "audits",
    name: "Website audits",
    description: "Synchronous standard audit, background deep audit, domain ownership verification.",
    paths: ["/v1/audits", "/v1/domains"],
  },
  {
    id: "media",
    name: "Media scans",
    description: "Detection of AI generation or doctoring in images, text and video.",
    paths: ["/v1/media-scan"],
  },
  {
    id: "channels",
    name: "Messaging-app channels",
    description:
      "List linked numbers, send a message, send and check a one-time code, ask an identity question and read its result.",
    paths: ["/v1/wa"],
  },
  {
    id: "business",
    name: "Business payments",
    description:
      "Business profile, overview of limit, balance and fees, per-customer virtual bank accounts, card checkout links, " +
      "payments list, test-mode payment simulation, payouts, refunds, activity log.",
    paths: ["/v1/business"],
  },
  {
    id: "webhooks",
    name: "Webhooks",
    description: "Signed JSON deliveries of results and account events to a registered URL.",
    paths: ["/v1/webhooks"],
  },
] as const satisfies readonly (PathGroup & { readonly id: string })[];

/** Section of an operation, as commands name it. */
export type SectionId = (typeof serviceSections)[number]["id"];
