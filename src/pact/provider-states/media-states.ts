/** Provider states of media scans. */
import { createHash } from "node:crypto";
import * as Type from "typebox";
import type { AnyOperation } from "../../contract/operation.js";
import type { UploadedFile } from "../../contract/upload.js";
import type { ActionInput, Stage } from "../../scenarios/actions.js";
import { providerState } from "./define-state.js";

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
  const find = (id: string) => operations.find((one) => one.id === id) as AnyOperation;
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
