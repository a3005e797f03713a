import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beforeContent, boundary, file, formType } from "../../support/forms.js";
import { hasPeaks, peakMB } from "../../support/memory.js";
import { type Program, startProgram } from "../../support/program.js";
import { boxHead, fileTypeBox, movieBox } from "../../support/videos.js";

const MB = 1024 * 1024;
const limit = 200 * MB;
/** Chunk that is sent repeatedly, so that the test does not hold 200 MB. */
const chunk = Buffer.alloc(256 * 1024, 0x5a);

/** Yields an MP4 of exactly `bytes` bytes. */
function* videoChunks(bytes: number): Generator<Buffer> {
  const index = movieBox(60);
  const head = Buffer.concat([fileTypeBox, index]);
  let left = bytes - head.length - 8;
  yield Buffer.concat([head, boxHead("mdat", left)]);
  for (; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

interface Answer {
  status: number;
  body: {
    media_type?: string;
    duration_seconds?: number;
    cost?: number;
    error?: { code: string; param: string };
  };
  /** Number of bytes sent by then. */
  sent: number;
}

/** Uploads an MP4 of `bytes` bytes in chunks, without a Content-Length. */
function uploadVideo({ url }: Program, bytes: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const headers = { "X-Service-Key": "svc_test_films", "Content-Type": formType };
    const upload = request(`${url}/v1/media-scan/video`, { method: "POST", headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()), sent });
      upload.destroy();
    });
    upload.on("error", (error) => setImmediate(() => reject(error)));
    const chunks = videoChunks(bytes);
    const next = (): void => {
      const { value, done } = chunks.next();
      if (done) return void upload.end(`\r\n--${boundary}--\r\n`);
      sent += value.length;
      if (upload.write(value)) setImmediate(next);
      else upload.once("drain", next);
    };
    upload.write(beforeContent(file("file", "", "film.mp4")));
    next();
  });
}

let program: Program;
beforeAll(async () => {
  program = await startProgram(["--memory"]);
});
afterAll(async () => void (await program.stop("SIGKILL")));

describe("a large video", () => {
  test.runIf(hasPeaks)("of 200 MB takes at most 30 MB more memory than one of 40 MB", async () => {
    for (const _ of [1, 2]) expect((await uploadVideo(program, 40 * MB)).status).toBe(201);
    const before = peakMB(program);
    const { status, body } = await uploadVideo(program, limit);
    expect([status, body.media_type, body.duration_seconds, body.cost]).toEqual([201, "video", 60, 800]);
    expect(peakMB(program) - before).toBeLessThan(30);
  });

  test("that is one byte too large is refused during the upload", async () => {
    const { status, body } = await uploadVideo(program, limit + 1);
    expect([status, body.error?.code, body.error?.param]).toEqual([413, "file_too_large", "file"]);
    const huge = await uploadVideo(program, 2 * limit);
    expect(huge.status).toBe(413);
    expect(huge.sent).toBeLessThan(1.5 * limit);
  });
});
