/** Streams of the control API, as a reader on a socket sees them: nothing that one writes or throws ends the process. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Stream, type StreamTarget } from "../../src/contract/reply-forms.js";
import { writeReply } from "../../src/server/reply.js";
import { RequestContext } from "../../src/server/request-context.js";

/** Serves a stream without the sandbox's own server, as an application does that mounts the sandbox. */
async function serve(start: (target: StreamTarget) => void): Promise<number> {
  const server = createServer((request, response) => {
    const context = new RequestContext(request as never, response as never, "");
    writeReply(context, 200, new Stream("text/event-stream", start));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("what is written after the end of a stream is dropped", async () => {
  let isBehind = false;
  const port = await serve((target) => {
    target.write("before");
    target.end();
    isBehind = !target.write("after");
    target.end();
  });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("before");
  expect(isBehind).toBe(true);
});

test("what a listener of a stream throws closes the connection", async () => {
  let hasThrown = false;
  const port = await serve((target) => {
    target.on("drain", () => {
      hasThrown = true;
      throw new Error("the stream failed");
    });
    while (target.write("x".repeat(1_000_000)));
  });
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  socket.on("error", () => {}).resume();
  await once(socket, "close");
  expect(hasThrown).toBe(true);
});
