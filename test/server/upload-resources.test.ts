import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { file, png, pngOf } from "../support/forms.js";
import { type Program, startProgram, temporaryFolder } from "../support/program.js";
import { beginUpload, photoLimit, taken, upload } from "../support/uploads.js";

const photo = [file("file", png)];

async function start(folder = temporaryFolder()): Promise<Program> {
  const program = await startProgram(["--memory"], folder);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  return program;
}

const links = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return []; // closed in between
    }
  });

/** Files that the process has open; sockets, pipes and devices are none. */
const openFiles = ({ process: { pid } }: Program): string[] =>
  links(`/proc/${pid}/fd`).filter((link) => link.startsWith("/") && !link.startsWith("/dev/"));

const residentMB = ({ process: { pid } }: Program): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test("uploads that break off leave the program serving and never had a file", async () => {
  const folder = temporaryFolder();
  const program = await start(folder);
  const account = program.account("svc_test_uploads");
  expect(taken).toContain((await upload(account, photo)).status);
  const before = openFiles(program);
  for (let count = 0; count < 10; count++) {
    const { sendChunk, hangUp } = await beginUpload(account);
    await sendChunk(pngOf(photoLimit / 2));
    await account.clock.get();
    expect(openFiles(program)).toEqual(before);
    await hangUp();
  }
  expect(taken).toContain((await upload(account, photo)).status);
  expect(await account.requests.list()).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(program.stderr()).toBe("");
});

test("memory stays level over fifty uploads of 15 MB", async () => {
  const program = await start();
  const account = program.account("svc_test_uploads");
  const large = [file("file", pngOf(photoLimit))];
  const residentAfter = async (uploads: number) => {
    for (let at = 0; at < uploads; at++) expect(taken).toContain((await upload(account, large)).status);
    return residentMB(program);
  };
  const first = await residentAfter(10);
  expect((await residentAfter(40)) - first).toBeLessThan(50);
});
