import { describe, expect, it } from "vitest";
import { isLong } from "../../support/repetitions.js";
import { call, read, useListeningSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { encodeId3 } from "./id3.js";
import { convert, type Name, names, namesWith, probe, wav } from "./tones.js";

const sandbox = useListeningSandbox();

const send = (account: Account, file: Uint8Array, filename: string, target_format: string) =>
  sendToTool(account, "audio-convert", file, filename, { fields: { target_format } });

type Account = ReturnType<typeof sandbox.account>;

const types: Record<Name, string> = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  aac: "audio/aac",
  flac: "audio/flac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
};

describe.each(isLong ? names : namesWith("aac"))("a conversion to %s over HTTP", (name) => {
  it("has the right media type and the upload's name, is free of charge, and can be converted again", async () => {
    const account = sandbox.account();
    const before = (await call(account, "GET", "/v1/balance")).body.balance;
    const response = await send(account, wav({ seconds: 0.2 }), "voice.wav", name);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(types[name]);
    expect(response.headers.get("content-disposition")).toContain(`voice.${name}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(Math.abs((await probe(bytes)).seconds - 0.2)).toBeLessThan(0.05);
    const back = await send(account, bytes, "upload", "wav");
    expect(back.status).toBe(200);
    const { seconds } = await probe(new Uint8Array(await back.arrayBuffer()));
    expect(Math.abs(seconds - 0.2)).toBeLessThan(0.05);
    expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(before);
  });
});

it("accepts an mp3 that starts with other bytes", async () => {
  const mp3 = Buffer.concat([Buffer.alloc(700, 3), await convert(wav({ seconds: 0.5 }), "mp3")]);
  const response = await send(sandbox.account(), mp3, "radio.mp3", "wav");
  expect(response.status).toBe(200);
});

it("detects the file type by the bytes, not by the name", async () => {
  const flac = await convert(wav({ seconds: 0.5 }), "flac");
  const response = await send(sandbox.account(), flac, "song.mp3", "wav");
  expect(response.status).toBe(200);
  expect((await probe(new Uint8Array(await response.arrayBuffer()))).format).toBe("WAVE");
});

it("accepts an mp3 with a cover of three megabytes, and keeps the cover", async () => {
  const cover = { type: "image/jpeg" as const, bytes: new Uint8Array(3_000_000).fill(7) };
  cover.bytes.set([0xff, 0xd8]);
  const mp3 = Buffer.concat([
    encodeId3({ title: "Loud", cover }),
    await convert(wav({ seconds: 0.3 }), "mp3"),
  ]);
  const response = await send(sandbox.account(), mp3, "loud.mp3", "flac");
  expect(response.status).toBe(200);
  const { tags } = await probe(new Uint8Array(await response.arrayBuffer()));
  expect(tags.title).toBe("Loud");
  expect(tags.images?.[0]?.data.length).toBe(3_000_000);
});

const aiff = Buffer.concat([Buffer.from("FORM\0\0\x10\0AIFFCOMM"), Buffer.alloc(4_096)]);

it.each([
  ["an AIFF", aiff, "mp3", 415, "unsupported_media_type", "file"],
  ["an unknown target", wav({ seconds: 0.1 }), "midi", 400, "validation_error", "target_format"],
])("refuses %s", async (_, bytes, target, status, code, param) => {
  const reply = await read(await send(sandbox.account(), bytes, "song.mp3", target));
  expect(reply.status).toBe(status);
  expect(reply.body.error).toMatchObject({ code, param });
});

it("refuses a truncated file with file_unreadable, naming the file and the reason", async () => {
  const half = wav({ seconds: 1 }).subarray(0, 40_000);
  const reply = await read(await send(sandbox.account(), half, "half.wav", "mp3"));
  expect(reply.status).toBe(422);
  expect(reply.body.error).toMatchObject({ code: "file_unreadable", param: "file" });
  expect(reply.body.error.message).toMatch(
    /^"half\.wav": its header declares .* it is cut off; send the whole file\.$/,
  );
});
