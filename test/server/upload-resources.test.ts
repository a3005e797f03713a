import { readdirSync, readlinkSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { file, png, pngOf } from "../support/forms.js";
import { type Program, startProgram, temporaryFolder } from "../support/program.js";
import { beginUpload, photoLimit, upload } from "../support/uploads.js";

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

/** Returns the files that the process has open, without sockets, pipes and devices. */
const openFiles = ({ process: { pid } }: Program): string[] =>
  links(`/proc/${pid}/fd`).filter((link) => link.startsWith("/") && !link.startsWith("/dev/"));

test("interrupted uploads leave the program working and never open a file", async () => {
  const folder = temporaryFolder();
  const program = await start(folder);
  const account = program.account("svc_test_uploads");
  expect((await upload(account, photo)).status).toBe(200);
  const before = openFiles(program);
  for (let count = 0; count < 10; count++) {
    const { sendChunk, hangUp } = await beginUpload(account);
    await sendChunk(pngOf(photoLimit / 2));
    await account.clock.get();
    expect(openFiles(program)).toEqual(before);
    await hangUp();
  }
  expect((await upload(account, photo)).status).toBe(200);
  expect(await account.requests.list()).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(program.stderr()).toBe("");
});
