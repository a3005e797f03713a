/** Provider states of media scans, real-time sessions, audits, domains and webhooks, and the outcomes of operations. */

import { createHash } from "node:crypto";
import * as Type from "typebox";
import { type AnyOperation, isServiceOperation } from "../../contract/operation.js";
import type { UploadedFile } from "../../contract/upload.js";
import { ruleProblem } from "../../rules/check-rule.js";
import { addRule } from "../../rules/rules.js";
import type { ActionInput, Stage } from "../../scenarios/actions.js";
import { runAction } from "../../scenarios/given.js";
import { events } from "../../service/webhooks/events.js";
import { fieldAt, providerState } from "./define-state.js";

/** Above the 800 characters that a scan needs. */
const text = `The market opens before six. Bola has sold yams here since her mother gave up the stall, and she
knows who will haggle. Rain? It came at noon. Everyone ran under the zinc roofs, laughing, and for half an hour nobody
sold a thing while the gutters filled and a goat slept on a bag of rice. Then the sun was back. My uncle bought three
tubers, argued over the fourth, lost, and paid for it anyway because his bus to Ibadan was already hooting at the gate.
He waved. She shouted after him that he had left his change, forty naira in old coins, and ran between the wheelbarrows
to throw it through the window. Nobody asked her to. That evening, counting what was in the tin, she found that the day
had come out even, rain and all. Her son drew a fish on the slate. Tomorrow is Sunday; the stall stays shut, and
whoever needs yams will have to eat rice.`;

type MediaType = "image" | "video" | "text";

const uploads = {
  image: { id: "scanImage", filename: "id-card.png", type: "image/png" },
  video: { id: "scanVideo", filename: "clip.mp4", type: "video/mp4" },
};

export const mediaStates = [
  providerState("a media scan", {
    description: "A completed scan; of a text if omitted",
    params: { media_type: Type.Enum(["image", "video", "text"]) },
    values: { id: "The scan's id" },
    async finish({ account, stage }, { media_type = "text" }) {
      const { operation, input } = await scanOf(stage, media_type);
      const { id } = (await stage.perform(account, operation, input)) as { id: string };
      return { id };
    },
  }),
] as const;

async function scanOf(
  { operations }: Stage,
  mediaType: MediaType,
): Promise<{ operation: AnyOperation; input: ActionInput }> {
  const find = (id: string) => operations.find((operation) => operation.id === id) as AnyOperation;
  if (mediaType === "text") return { operation: find("scanText"), input: { body: { text } } };
  const { id, filename, type } = uploads[mediaType];
  const operation = find(id);
  return { operation, input: { files: { file: await uploadFixture(operation, filename, type) } } };
}

/** Returns a fixture file as the upload of an operation. */
async function uploadFixture(operation: AnyOperation, filename: string, type: string): Promise<UploadedFile> {
  const { readFixture } = await import("../../scenarios/bundled-scenarios.js");
  const bytes = Buffer.from(await readFixture(filename));
  const inspector = operation.upload?.file?.inspect?.();
  inspector?.see(bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { filename, type, size: bytes.length, sha256, bytes, inspected: inspector?.end() };
}

const room = { room_name: Type.String(), identity: Type.String() };
const url = { url: Type.String({ examples: ["https://shop.example.com"] }) };

const session = {
  values: {
    session_id: ["The session's id", "sessions.session_id"],
    room_name: ["The room", "sessions.room_name"],
  },
} as const;
const audit = { values: { id: ["The audit's id", "audits.id"] } } as const;
const domain = {
  params: { domain: Type.String({ examples: ["shop.example.com"] }) },
  values: {
    domain_id: ["The verification's id", "domains.id"],
    domain: ["The domain", "domains.domain"],
    token: ["The proof's token", "domains.token"],
  },
} as const;

export const serviceStates = [
  providerState("an active real-time session", {
    ...session,
    description: "A participant is in a room",
    params: room,
    given: (params) => ({ sessions: [params] }),
  }),
  providerState("a completed real-time session", {
    ...session,
    description: "A session has ended and was billed; 12 minutes if omitted",
    params: { ...room, minutes: Type.Number({ minimum: 0 }) },
    given: ({ minutes = 12, ...params }) => ({ sessions: [{ ...params, completed: { minutes } }] }),
  }),

  providerState("a ready audit", {
    values: { id: "The audit's id" },
    description: "An audit has its report; a deep one if omitted",
    params: { ...url, tier: Type.Enum(["deep", "standard"]) },
    given: ({ tier = "deep", ...params }) =>
      tier === "deep" ? { audits: [{ ...params, ready: true }] } : {},
    async finish(context, { tier = "deep", url: address = "https://shop.example.com" }) {
      if (tier === "deep") return { id: fieldAt(context, "audits.id") };
      const made = await runAction(context.account, context.stage, "createAudit", { url: address });
      return { id: (made as { id: string }).id };
    },
  }),
  providerState("a pending deep audit", {
    ...audit,
    description: "A deep audit is running",
    params: url,
    given: (params) => ({ audits: [params] }),
  }),
  providerState("a failed deep audit", {
    ...audit,
    description: "A deep audit failed; it is billed unless assumption audits.failed says otherwise",
    params: url,
    given: (params) => ({ audits: [{ ...params, failed: true }] }),
  }),

  providerState("a pending domain", {
    ...domain,
    description: "A domain whose proof has not been published",
    given: (params) => ({ domains: [params] }),
  }),
  providerState("a published domain proof", {
    ...domain,
    description: "The TXT record of a pending domain is published: its next check succeeds",
    given: (params) => ({ domains: [params] }),
    async finish({ account, stage }, _params, { domain: name }) {
      await runAction(account, stage, "publishDomainProof", { domain: name, method: "dns_txt" });
      return undefined;
    },
  }),
  providerState("a verified domain", {
    ...domain,
    description: "A domain whose proof was found",
    given: (params) => ({ domains: [{ ...params, verified: true }] }),
  }),

  providerState("a registered webhook", {
    description: "An endpoint that receives the given events; all if omitted",
    params: { url: Type.String(), events: Type.Array(Type.String()) },
    values: {
      id: ["The endpoint's id", "webhooks.id"],
      secret: ["The key of X-Service-Signature", "webhooks.secret"],
    },
    given: (params) => ({ webhooks: [{ url: "https://shop.example.com/webhooks", ...params }] }),
  }),
  providerState("an outcome", {
    description: "Requests of an operation get one of its outcomes",
    params: {
      operation: Type.String({ examples: ["verifyBvn"] }),
      outcome: Type.String({ examples: ["provider_unavailable"] }),
    },
    finish({ account, stage }, { operation, outcome }) {
      if (!operation || !outcome) throw new Error(describeMissing({ operation, outcome }));
      const rule = { on: operation, outcome };
      const operations = stage.operations.filter(isServiceOperation);
      const problem = ruleProblem(rule, { operations, events });
      if (problem) throw new Error(problem.message);
      addRule(account, rule);
      return undefined;
    },
  }),
] as const;

function describeMissing(params: Readonly<Record<string, string | undefined>>): string {
  const names = Object.keys(params).filter((name) => !params[name]);
  const example = JSON.stringify({ operation: "verifyBvn", outcome: "not_found" });
  return `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} needed, such as ${example}`;
}
