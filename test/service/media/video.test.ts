import { beforeAll, describe, expect, test } from "vitest";
import type { OutcomeName, SandboxAccount } from "../../../src/index.js";
import { file } from "../../support/forms.js";
import { call, type Reply, useSandbox } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { aviOf, boxHead, fileTypeBox, movieBox, videoKinds, videoOf } from "../../support/videos.js";
import { costOf, getBalance } from "../account/calls.js";

const sandbox = useSandbox();
const path = "/v1/media-scan/video";

const send = (account: SandboxAccount, content: Uint8Array, name = "clip.mp4", query = ""): Promise<Reply> =>
  upload(account, [file("file", content, name)], path + query);

let clip: Buffer;
beforeAll(async () => {
  clip = await videoOf("mp4", { seconds: 6 });
});

describe("a video scan", () => {
  test("has only the fields of a video scan", async () => {
    const { status, body } = await send(sandbox.account(), clip);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^scn_/),
      media_type: "video",
      status: "completed",
      verdict: "inconclusive",
      signals: expect.any(Array),
      signal_count: body.signals.length,
      duration_seconds: 6,
      frames_sampled: 12,
      cost: 800,
      is_test: true,
      created_at: expect.any(String),
    });
    expect((await send(sandbox.account({ mode: "live" }), clip)).body.is_test).toBe(false);
  });

  test.each(videoKinds)("accepts a %s and returns its duration", async (kind) => {
    const { status, body } = await send(
      sandbox.account(),
      await videoOf(kind, { seconds: 7.5, framesPerSecond: 24 }),
    );
    expect(status).toBe(201);
    expect(Math.abs(body.duration_seconds - 7.5)).toBeLessThan(0.05);
  });

  test("accepts an AVI", async () => {
    const { status, body } = await send(sandbox.account(), aviOf(7.48));
    expect([status, body.duration_seconds]).toEqual([201, 7.48]);
  });

  test("is billed NGN 800, including the first one", async () => {
    const account = sandbox.account();
    for (const _ of [1, 2]) expect(await costOf(account, (on) => send(on, clip))).toBe(800);
  });

  test("that the wallet cannot pay is 402 and not stored", async () => {
    const account = sandbox.account();
    await account.update({ balance: 799 });
    const { status, body } = await send(account, clip);
    expect([status, body.error.code]).toEqual([402, "insufficient_balance"]);
    expect((await call(account, "GET", "/v1/media-scan")).body).toEqual([]);
  });
});

describe("frames", () => {
  test.each([4, 12, 30])("%i are sampled", async (frames) => {
    const { status, body } = await send(sandbox.account(), clip, "clip.mp4", `?frames=${frames}`);
    expect([status, body.frames_sampled]).toEqual([201, frames]);
  });

  test.each([
    ["3", "frames_out_of_range"],
    ["31", "frames_out_of_range"],
    ["0", "frames_out_of_range"],
    ["-4", "frames_out_of_range"],
    ["x", "validation_error"],
    ["1e9", "validation_error"],
    ["1e1", "validation_error"],
    ["0x0c", "validation_error"],
    ["12.0", "validation_error"],
    ["%2B12", "validation_error"],
    ["%2012", "validation_error"],
    ["012", "validation_error"],
    ["12.5", "validation_error"],
    ["", "validation_error"],
    ["12&frames=13", "validation_error"],
  ])("frames=%s is refused with %s and costs nothing", async (frames, code) => {
    const account = sandbox.account();
    const { status, body } = await send(account, clip, "clip.mp4", `?frames=${frames}`);
    expect([status, body.error.code, body.error.param]).toEqual([400, code, "frames"]);
    expect((await getBalance(account)).balance).toBe((await getBalance(sandbox.account())).balance);
  });
});

describe("the length of a video", () => {
  test.each(["mp4", "fragmented mp4", "webm"] as const)(
    "of 300 s is accepted in a %s, and of 301 s is not",
    async (kind) => {
      const account = sandbox.account();
      const right = await send(account, await videoOf(kind, { seconds: 300, framesPerSecond: 1 }));
      expect([right.status, right.body.duration_seconds]).toEqual([201, 300]);
      const { status, body } = await send(account, await videoOf(kind, { seconds: 301, framesPerSecond: 1 }));
      expect([status, body.error.code, body.error.param]).toEqual([400, "video_too_long", "file"]);
      expect(body.error.message).toContain("301 s");
      expect((await call(account, "GET", "/v1/media-scan")).body).toHaveLength(1);
    },
  );
});

describe("a video that cannot be read", () => {
  const rubbish = Buffer.alloc(20_000, "rubbish");
  const cut = async (kind: "mp4 with its index at the end" | "webm") => {
    const whole = await videoOf(kind, { seconds: 20 });
    return kind === "webm" ? whole.subarray(0, 60) : whole.subarray(0, whole.length / 2);
  };
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ["has sound alone", () => videoOf("webm", { seconds: 3, sound: "alone" })],
    ["has no track of pictures in its index", () => Buffer.concat([fileTypeBox, movieBox(3, "soun")])],
    ["is an MP4 cut in half, whose index comes last", () => cut("mp4 with its index at the end")],
    ["is a WebM that ends after its header", () => cut("webm")],
    ["is an AVI without frames", () => aviOf(0)],
    ["is an AVI cut in its header", () => aviOf(5).subarray(0, 50)],
    ["is rubbish after a right first box", () => Buffer.concat([fileTypeBox, rubbish])],
    ["has an index of rubbish", () => Buffer.concat([fileTypeBox, boxHead("moov", 20_000), rubbish])],
    ["promises a box larger than it is", () => Buffer.concat([fileTypeBox, boxHead("moov", 4_000), clip])],
  ])("because it %s is 422 and costs nothing", async (_what, make) => {
    const account = sandbox.account();
    const { status, body } = await send(account, await make());
    expect([status, body.error.code, body.error.param]).toEqual([422, "file_unreadable", "file"]);
    expect((await getBalance(account)).balance).toBe((await getBalance(sandbox.account())).balance);
  });

  test.each<[string, Buffer]>([
    ["text", Buffer.from("A film about nothing. ".repeat(50))],
    ["an empty file", Buffer.alloc(0)],
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["one byte", Buffer.from([0x1a])],
  ])("because it is %s is refused", async (_what, content) => {
    const { status } = await send(sandbox.account(), content);
    expect([400, 415]).toContain(status);
  });
});

describe("the verdict on a video", () => {
  const verdictOf = async (shape: Parameters<typeof videoOf>[1]) => {
    const { body } = await send(sandbox.account(), await videoOf("mov", { frameBytes: 20_000, ...shape }));
    for (const signal of body.signals) expect(signal.measured).not.toBe("");
    return body.verdict;
  };
  test.each([
    ["likely_ai", "Made with Sora"],
    ["likely_edited", "Exported by Adobe Premiere Pro"],
    ["likely_authentic", "GoPro HERO12"],
    ["inconclusive", "Holiday"],
  ])("is %s if its metadata has: %s", async (verdict, comment) => {
    expect(await verdictOf({ seconds: 12, tags: { comment } })).toBe(verdict);
  });

  test.each([
    ["likely_ai", 201, "likely_ai"],
    ["inconclusive", 201, "inconclusive"],
    ["authentic", 201, "likely_authentic"],
    ["provider_down", 503, undefined],
    ["timeout", 504, undefined],
  ])("with %s in its name is %i", async (word, status, verdict) => {
    const account = sandbox.account();
    const reply = await send(account, clip, `my-${word.toUpperCase()}-clip.mp4`);
    expect([reply.status, reply.body.verdict]).toEqual([status, verdict]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toContain("by=test-value");
    if (verdict)
      expect(reply.body.signals[0]).toMatchObject({
        category: "classifier",
        measured: `requested by the outcome ${word}`,
      });
  });

  test.each<[OutcomeName, number, string | undefined]>([
    ["authentic", 201, "likely_authentic"],
    ["likely_edited", 201, "likely_edited"],
    ["provider_timeout", 504, undefined],
  ])("is %s by a rule, whatever the file name", async (outcome, status, verdict) => {
    const account = sandbox.account();
    await account.rules.add({ on: "scanVideo", outcome });
    const reply = await send(account, clip, "likely_ai.mp4");
    expect([reply.status, reply.body.verdict]).toEqual([status, verdict]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=rule`);
  });
});
