import { readdirSync, readlinkSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { file, png, pngOf } from "../support/forms.js";
import { residentMB } from "../support/memory.js";
import { type Program, startProgram, temporaryFolder } from "../support/program.js";
import { converse, headOf } from "../support/raw.js";
import { post } from "../support/sandbox.js";
import { until } from "../support/until.js";
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

test("uploads that stop halfway share a limit: a further one gets 503 with Retry-After until they are gone", async () => {
  const program = await start();
  const account = program.account("svc_test_uploads");
  const path = "/v1/tools/pdf-to-docx";
  const part = file("file", "");
  const content = Buffer.alloc(9 * 1024 * 1024, "%PDF-1.7\n");
  const before = residentMB(program);
  const stopped = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const begun = await beginUpload(account, part, path);
      const refused = begun.reply().then(
        (reply) => reply,
        () => null,
      );
      await begun.sendChunk(content);
      return { ...begun, refused };
    }),
  );
  const isFull = async () => {
    const { status, headers, body } = await upload(account, [file("file", content.toString("latin1"))], path);
    return status === 503 && { headers, body };
  };
  const { headers, body } = await until("uploads are refused", isFull);
  expect(headers.get("retry-after")).toBe("1");
  expect(body).toMatchObject({ error: { code: "storage_unavailable" } });
  expect(residentMB(program) - before).toBeLessThan(250);
  expect((await upload(account, photo)).status).toBe(200);
  await Promise.all(stopped.map(({ hangUp }) => hangUp()));
  const isFree = async () =>
    (await upload(account, [file("file", content.toString("latin1"))], path)).status !== 503;
  await until("uploads are accepted again", isFree);
  const refusals = (await Promise.all(stopped.map(({ refused }) => refused))).filter(
    (reply) => reply !== null,
  );
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refusals.length).toBeGreaterThanOrEqual(40 - 128 / 9);
});

test("JSON bodies that stop halfway share that limit, and short ones are still taken", async () => {
  const program = await start();
  const account = program.account("svc_test_bodies");
  const target = "/v1/phone/verify/start";
  const long = JSON.stringify({ phone: "08031234567", text: "x".repeat(1_000_000) });
  const headers = {
    "X-Service-Key": account.key,
    "Content-Type": "application/json",
    "Content-Length": String(long.length),
  };
  const before = residentMB(program);
  const stopped = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const begun = converse(account.baseUrl);
      await begun.write(headOf({ method: "POST", target, headers }));
      await begun.write(Buffer.from(long.slice(0, -1)));
      return begun;
    }),
  );
  const send = () => post(account, target, JSON.parse(long));
  const refused = await until("long bodies are refused", async () => {
    const reply = await send();
    return reply.status === 503 && reply;
  });
  expect(refused.body.error).toMatchObject({
    code: "storage_unavailable",
    message: expect.stringContaining("128 MB"),
  });
  expect((await post(account, target, { phone: "08031234567" })).status).toBe(201);
  expect(residentMB(program) - before).toBeLessThan(250);
  await Promise.all(stopped.map(({ hangUp }) => hangUp()));
  await until("long bodies are taken again", async () => (await send()).status === 201);
});
