/** Faults of replies that are files, on a real connection, byte by byte. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Request, Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import type { FaultyReply } from "../../src/contract/faulty-replies.js";
import { Binary } from "../../src/contract/reply-forms.js";
import { writeReply } from "../../src/server/reply.js";
import { RequestContext } from "../../src/server/request-context.js";

const bytes = Uint8Array.from({ length: 3000 }, (_byte, at) => (at * 7) % 251);

/** Starts a server that answers every request with this file and this fault. */
async function serve(reply: FaultyReply, file = bytes): Promise<string> {
  const server = createServer((request, response) => {
    const context = new RequestContext(request as Request, response as Response, "");
    context.fault = { reply, ...(reply === "trickle" ? { over: "50ms" } : {}) };
    writeReply(context, 200, new Binary("application/pdf", file, "letter.pdf"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const download = async (url: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(url)).arrayBuffer());

test("trickle delivers every byte", async () => {
  expect(await download(await serve("trickle"))).toEqual(bytes);
});

test("malformed keeps the length and changes the second half", async () => {
  const came = await download(await serve("malformed"));
  expect(came.length).toBe(bytes.length);
  expect(came.subarray(0, 1500)).toEqual(bytes.subarray(0, 1500));
  expect(came.subarray(1500)).toEqual(new Uint8Array(1500));
});

test.each(["truncated", "reset_during", "reset_after"] as const)("the client notices %s", async (reply) => {
  await expect(download(await serve(reply))).rejects.toThrow(/terminated|fetch failed/);
});

test.each(["malformed", "trickle"] as const)("%s of an empty file is an empty file", async (reply) => {
  expect(await download(await serve(reply, new Uint8Array()))).toEqual(new Uint8Array());
});
