import { Agent, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { beforeContent, boundary, file, formType, pngOf } from "../support/forms.js";
import { residentMB } from "../support/memory.js";
import { type Program, startProgram } from "../support/program.js";
import { repetitions } from "../support/repetitions.js";
import { documentPath, photoLimit } from "../support/uploads.js";

const atOnce = 8;
const photo = pngOf(photoLimit);
const before = Buffer.from(beforeContent(file("file", "")));
const after = Buffer.from(`\r\n--${boundary}--\r\n`);
const headers = {
  "X-Service-Key": "svc_test_uploads",
  "Content-Type": formType,
  "Content-Length": before.length + photo.length + after.length,
};

/** Uploads the shared buffer without copying it and returns the status. */
const uploadTo = (url: string, agent: Agent): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url + documentPath, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject);
    for (const part of [before, photo]) sent.write(part);
    sent.end(after);
  });

/** Makes this many uploads, a few at a time, and returns the program's highest memory after any of them, in MB. */
async function residentDuring(uploads: number, program: Program, agent: Agent): Promise<number> {
  let left = uploads;
  let peakMB = 0;
  const worker = async () => {
    while (left-- > 0) {
      expect(await uploadTo(program.url, agent)).toBe(200);
      peakMB = Math.max(peakMB, residentMB(program));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return peakMB;
}

test("memory stays constant over many uploads of 15 MB, eight at a time", async () => {
  const program = await startProgram(["--memory"]);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  onTestFinished(async () => {
    agent.destroy();
    await program.stop("SIGKILL");
  });
  const ready = residentMB(program);
  const warm = await residentDuring(repetitions(16, 40), program, agent);
  const peakMB = await residentDuring(repetitions(32, 400), program, agent);
  expect(residentMB(program) - warm).toBeLessThan(40);
  // Memory that a program would need for eight photos if it buffered them, in addition to its own.
  expect(peakMB - ready).toBeLessThan((atOnce * photoLimit) / 1024 / 1024);
});
