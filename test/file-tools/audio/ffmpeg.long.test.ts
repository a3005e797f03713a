import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAudioEngine, encodeAudio } from "../../../src/file-tools/audio/convert.js";
import { encodeId3 } from "../../../src/file-tools/audio/id3.js";
import { ConversionPool } from "../../../src/file-tools/conversion-pool.js";
import { oncePer } from "../../support/once-per.js";
import { isLong } from "../../support/repetitions.js";
import { until } from "../../support/until.js";
import { convert, type Name, probe, wav } from "./tones.js";

const seconds = 0.3;
const source = wav({ seconds });
/** Converts the source with the built-in engine. */
const sourceIn = oncePer((target: Name) => convert(source, target));

const path = process.env.PATH;
let bin: string;

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), "fake-ffmpeg-"));
  process.env.PATH = bin;
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(bin, { recursive: true, force: true });
});

/** Installs a fake ffmpeg that records its arguments and runs `body`, in the language of sh. */
async function fake(body: string): Promise<void> {
  const script = `#!/bin/sh
PATH='${path}'
bin='${bin}'
for output in "$@"; do :; done
printf '%s\\0' "$$" "$PWD" "$@" > "$bin/called"
${body}
`;
  await writeFile(join(bin, "ffmpeg"), script);
  await chmod(join(bin, "ffmpeg"), 0o755);
}

const fakeWriting = async (bytes: Uint8Array): Promise<void> => {
  await writeFile(join(bin, "made"), bytes);
  await fake('cp "$bin/made" "$output"');
};

interface Called {
  args: string[];
  pid: number;
  cwd: string;
}
async function called(): Promise<Called> {
  const [pid = "", cwd = "", ...args] = (await readFile(join(bin, "called"), "utf8")).split("\0");
  // Nothing follows the last argument.
  expect(args.pop()).toBe("");
  return { pid: Number(pid), cwd, args };
}

const auto = { target: "mp3", ffmpeg: "auto" } as const;

it("decodes with ffmpeg what no built-in decoder reads", async () => {
  await fakeWriting(source);
  const adpcm = Buffer.from(source);
  adpcm.writeUInt16LE(2, 20);
  const converted = await encodeAudio(adpcm, { target: "wav", ffmpeg: "auto" });
  expect((await probe(converted)).seconds).toBeCloseTo(seconds, 3);
});

it("converts with the ffmpeg on the PATH and removes its files", async () => {
  const made = Uint8Array.from(await sourceIn("mp3"));
  // Marks the output as ffmpeg's.
  made.set([1], made.length - 1);
  await fakeWriting(made);
  const converted = await encodeAudio(source, auto);
  expect(Buffer.compare(converted, made)).toBe(0);
  const { cwd } = await called();
  await expect(readdir(cwd)).rejects.toThrow(/ENOENT/);
});

it("restricts ffmpeg to the input file in the detected format, and passes tags unchanged", async () => {
  const title = `"; touch here; $(reboot) \`id\` -y`;
  const tagged = Buffer.concat([encodeId3({ title }), await sourceIn("mp3")]);
  await fakeWriting(await sourceIn("flac"));
  await encodeAudio(tagged, { target: "flac", ffmpeg: "auto" });
  const { args, cwd } = await called();
  expect(args.join(" ")).toContain(`-protocol_whitelist file -f mp3 -i ${join(cwd, "input")}`);
  expect(args).toContain(`title=${title}`);
  expect(args.join(" ")).toContain("-map 0:a:0 -map_metadata -1");
  expect(args.join(" ")).toContain("-timelimit 60");
  expect(args.slice(-7)).toEqual(["flac", "-sample_fmt", "s16", "-f", "flac", "-y", join(cwd, "output")]);
});

const cover = { type: "image/png" as const, bytes: Uint8Array.of(0x89, 0x50, 1, 2, 3) };
const sung = async (): Promise<Uint8Array> =>
  Buffer.concat([encodeId3({ title: "Sung", albumArtist: "Various", cover }), await sourceIn("mp3")]);

it.each(["flac", "m4a"] as const)("lets ffmpeg copy the cover into a %s", async (target) => {
  await fakeWriting(await sourceIn(target));
  await encodeAudio(await sung(), { target, ffmpeg: "auto" });
  const { args, cwd } = await called();
  expect(args.join(" ")).toContain(`-f png_pipe -i ${join(cwd, "cover")} -map 0:a:0 -map 1:v:0 -c:v copy`);
});

// The tags of AAC are those of MP3.
it.each(isLong ? (["mp3", "wav", "ogg", "aac"] as const) : (["mp3", "wav", "ogg"] as const))(
  "adds the tags to a %s that ffmpeg cannot write",
  async (target) => {
    await fakeWriting(await sourceIn(target));
    const found = await probe(await encodeAudio(await sung(), { target, ffmpeg: "auto" }));
    expect(Math.abs(found.seconds - seconds)).toBeLessThan(0.05);
    const { tags } = found;
    expect(tags).toMatchObject({ title: "Sung", albumArtist: "Various" });
    expect(Buffer.compare(tags.images?.[0]?.data ?? Buffer.alloc(0), cover.bytes)).toBe(0);
  },
);

it("requests a sample rate and channels that the target supports", async () => {
  await fake("exit 1");
  const six = Array.from({ length: 6 }, () => ({ frequency: 440, peak: 0.1 }));
  await encodeAudio(wav({ rate: 96_000, seconds: 0.1, tones: six }), auto);
  expect((await called()).args.join(" ")).toContain("-ar 48000 -ac 2 ");
});

it("does not run ffmpeg if the setting is off", async () => {
  await fakeWriting(source);
  await encodeAudio(source, { target: "mp3", ffmpeg: "off" });
  expect(await readdir(bin)).not.toContain("called");
});

it.each([
  ["fails", "exit 1"],
  ["writes nothing", ""],
  ["does not write audio", 'printf oops > "$output"'],
  ["is killed", "kill -KILL $$"],
])("converts with the built-in engine if ffmpeg %s", async (_, body) => {
  await fake(body);
  const converted = await encodeAudio(source, auto);
  expect((await called()).args.length).toBeGreaterThan(10);
  expect(Buffer.compare(converted, await sourceIn("mp3"))).toBe(0);
});

it("converts with the built-in engine if ffmpeg's output is truncated", async () => {
  await fakeWriting(await convert(wav({ seconds: 0.1 }), "wav"));
  const converted = await encodeAudio(source, { target: "wav", ffmpeg: "auto" });
  expect((await probe(converted)).seconds).toBeCloseTo(seconds, 5);
});

it("reads aac with ffmpeg without the optional decoder", async () => {
  const engine = createAudioEngine(() => Promise.reject(new Error("not installed")));
  const aac = await sourceIn("m4a");
  await fakeWriting(await sourceIn("wav"));
  const converted = await engine(aac, { target: "wav", ffmpeg: "auto" });
  expect((await probe(converted)).seconds).toBeCloseTo(seconds, 2);
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("kills ffmpeg and removes its files when the sandbox shuts down", async () => {
  await fake("exec sleep 600");
  const pool = new ConversionPool();
  const converted = pool.convert("acct_1", "audio", source, auto).catch((error: Error) => error.message);
  // The file exists before it is whole.
  const { pid, cwd } = await until("ffmpeg starts", () => called().catch(() => undefined));
  expect(isRunning(pid)).toBe(true);
  pool.close();
  expect(await converted).toBe("the sandbox is shutting down");
  await until("ffmpeg ends", () => !isRunning(pid));
  await until("its files are removed", () => !existsSync(cwd));
});
