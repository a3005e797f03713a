/** Checks whether anything listens at a URL. */
import { once } from "node:events";
import { connect } from "node:net";
import { timer } from "../time/time.js";
import { lookup } from "../world/webhooks/lookup.js";

/** No connection to this URL can be opened. */
export class ReceiverUnreachable extends Error {
  override name = "ReceiverUnreachable";
}

/** Rejects with ReceiverUnreachable when no connection can be opened within `timeout` ms. */
export async function expectReachable(url: string, timeout: number): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    lookup,
  });
  const limit = timer(timeout, () => socket.destroy(new Error("no connection in time")));
  try {
    await once(socket, "connect");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ReceiverUnreachable(`nothing listens at ${url} (${code ?? message})`);
  } finally {
    limit.cancel();
    socket.destroy();
  }
}

/** Resolves with whether a connection can be opened within `timeout` ms. */
export const isReachable = (url: string, timeout: number): Promise<boolean> =>
  expectReachable(url, timeout).then(
    () => true,
    () => false,
  );
