import { describe, expect, test } from "vitest";
import type { VideoFigures } from "../../../src/service/media/byte-walker.js";
import { VideoInspector } from "../../../src/service/media/videos.js";
import { aviOf, boxHead, fileTypeBox, movieBox, videoKinds, videoOf } from "../../support/videos.js";

/** Returns the figures of the file when it arrives in pieces of `size` bytes. */
function inspect(file: Buffer, piece = file.length): VideoFigures {
  const inspector = new VideoInspector();
  for (let at = 0; at < file.length; at += piece) inspector.see(file.subarray(at, at + piece));
  return inspector.end();
}

const seconds = 12.3;

describe.each(videoKinds)("a %s", (kind) => {
  test("is measured: duration, size and frames", async () => {
    const seen = inspect(await videoOf(kind, { seconds, width: 854, height: 480 }));
    // A live recording does not have the duration of its last frame.
    const minimumSeconds = kind === "live webm" ? seconds - 0.1 : seconds;
    expect(seen.duration).toBeGreaterThan(minimumSeconds - 0.05);
    expect(seen.duration).toBeLessThan(seconds + 0.05);
    expect(seen).toMatchObject({ hasVideo: true, frames: 123, width: 854, height: 480 });
  });

  test("is the same for any chunk sizes", async () => {
    const file = await videoOf(kind, { seconds: 3, sound: "beside" });
    const whole = inspect(file);
    expect(whole.hasVideo).toBe(true);
    for (const piece of [1, 7, 64]) expect(inspect(file, piece)).toEqual(whole);
  });

  test("with only sound has no video", async () => {
    const seen = inspect(await videoOf(kind, { seconds: 3, sound: "alone" }));
    expect(seen.hasVideo).toBe(false);
  });

  test("truncated at any byte is read as far as possible", async () => {
    const file = await videoOf(kind, { seconds: 2 });
    const whole = inspect(file).duration ?? 0;
    for (let end = 0; end < file.length; end += 11)
      expect(inspect(file.subarray(0, end)).duration ?? 0).toBeLessThanOrEqual(whole);
    expect(inspect(file.subarray(0, 40)).duration).toBeNull();
  });
});

describe("an AVI", () => {
  test("has its duration in its main header, for any chunk sizes", () => {
    const file = aviOf(seconds, 20);
    for (const piece of [1, file.length])
      expect(inspect(file, piece)).toMatchObject({ duration: 12.3, frames: 246, width: 640, height: 360 });
  });

  test("without frames has no duration", () => {
    expect(inspect(aviOf(0)).duration).toBeNull();
  });
});

describe("an MP4", () => {
  const index = movieBox(seconds);
  const expected = { duration: seconds, hasVideo: true, width: 640, height: 360 };

  test.each([
    ["starts with its index, as old QuickTime files do", [index]],
    ["starts with an empty box", [boxHead("wide", 0), boxHead("mdat", 5), Buffer.alloc(5), index]],
    ["has a box of 64-bit size before it", [fileTypeBox, boxHead("mdat", 9, true), Buffer.alloc(9), index]],
    ["starts with such a box", [boxHead("mdat", 9, true), Buffer.alloc(9), index]],
    ["has 64-bit times", [fileTypeBox, movieBox(seconds, "vide", true)]],
    ["has a second index, which counts for nothing", [fileTypeBox, index, movieBox(99)]],
    ["has rubbish after it", [fileTypeBox, index, Buffer.from("rubbish that is no box at all")]],
  ])("is read if it %s", (_what, parts) => {
    for (const piece of [1, 1000]) expect(inspect(Buffer.concat(parts), piece)).toMatchObject(expected);
  });

  test.each([
    ["has rubbish in place of an index", [fileTypeBox, Buffer.alloc(5_000, "rubbish")]],
    ["has boxes of no size", [fileTypeBox, Buffer.alloc(5_000)]],
    ["has an index of which the end is missing", [fileTypeBox, index.subarray(0, -4)]],
    ["has an index of 9 MB", [fileTypeBox, boxHead("moov", 9_000_000), Buffer.alloc(9_000_000)]],
    ["has an index that promises more than there is", [fileTypeBox, boxHead("moov", 500), index]],
    ["has an index of rubbish", [fileTypeBox, boxHead("moov", 5_000), Buffer.alloc(5_000, "rubbish")]],
  ])("has no figures if it %s", (_what, parts) => {
    expect(inspect(Buffer.concat(parts))).toMatchObject({ duration: null, hasVideo: false });
  });

  test("is read after 50,000 empty boxes, but not after a million", () => {
    const behind = (boxes: number) => Buffer.concat([Buffer.alloc(boxes * 8, boxHead("free", 0)), index]);
    expect(inspect(behind(50_000)).duration).toBe(seconds);
    expect(inspect(behind(1_000_000)).duration).toBeNull();
  });

  test("keeps at most 64 KB of metadata", () => {
    const texts = Buffer.concat([boxHead("udta", 3_000_000), Buffer.alloc(3_000_000, "x")]);
    const seen = inspect(Buffer.concat([boxHead("moov", texts.length), texts]));
    expect(seen.metadata.length).toBeGreaterThan(60 * 1024);
    expect(seen.metadata.length).toBeLessThanOrEqual(64 * 1024);
  });
});

describe("a WebM", () => {
  test("may have a header size of one, four or eight bytes", async () => {
    const file = await videoOf("webm", { seconds: 3 });
    const size = file.readUInt32BE(4) & 0x0fffffff;
    expect(file[4]).toBe(0x10);
    for (const written of [[0x80 | size], [0x10, 0, 0, size], [1, 0, 0, 0, 0, 0, 0, size]]) {
      const same = Buffer.concat([file.subarray(0, 4), Buffer.from(written), file.subarray(8)]);
      expect(inspect(same)).toMatchObject({ duration: 3, hasVideo: true });
    }
  });

  test("with garbage after its first element has no figures", async () => {
    const file = await videoOf("webm", { seconds: 3 });
    const rubbish = Buffer.concat([file.subarray(0, 40), Buffer.alloc(5_000, 0xff)]);
    expect(inspect(rubbish).duration).toBeNull();
  });
});
