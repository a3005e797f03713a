/** Interface: media scans. */
import { createHash } from "node:crypto";
import * as Type from "typebox";
import type { AnyOperation } from "../../contract/operation.js";
import type { UploadedFile } from "../../contract/upload.js";
import type { ActionInput } from "../../scenarios/actions.js";
import { type Setting, state, type Values } from "./define-state.js";

/** Long enough to be scanned. */
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
  state("a media scan", {
    description: "A text, or an image or a video, was scanned",
    params: { media_type: Type.Enum(["image", "video", "text"]) },
    values: { id: "The scan's id" },
    async finish({ account, stage }, { media_type = "text" }): Promise<Values> {
      const { operation, input } = await scanOf(stage, media_type);
      const { id } = (await stage.perform(account, operation, input)) as { id: string };
      return { id };
    },
  }),
];

async function scanOf(
  { operations }: Setting["stage"],
  media_type: MediaType,
): Promise<{ operation: AnyOperation; input: ActionInput }> {
  const called = (id: string) => operations.find((one) => one.id === id) as AnyOperation;
  if (media_type === "text") return { operation: called("scanText"), input: { body: { text } } };
  const { id, filename, type } = uploads[media_type];
  const operation = called(id);
  return { operation, input: { files: { file: await upload(operation, filename, type) } } };
}

/** One of our own example files, as if it had been sent. */
async function upload(operation: AnyOperation, filename: string, type: string): Promise<UploadedFile> {
  const { readOwnFixture } = await import("../../scenarios/catalogue.js");
  const bytes = Buffer.from(await readOwnFixture(filename));
  const inspector = operation.upload?.file?.inspect?.();
  inspector?.see(bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { filename, type, size: bytes.length, sha256, bytes, inspected: inspector?.end() };
}
