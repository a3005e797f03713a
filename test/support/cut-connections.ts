/**
 * A proxy in front of PostgreSQL, whose connections a test can cut as a restart of the server would, and whose statements
 * it can hold and let through one by one.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface DatabaseProxy {
  /** URL of the database through the proxy. */
  url: string;
  /** Cuts all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Holds every statement until it is let through. */
  hold(): void;
  /** Number of statements that are held. */
  readonly held: number;
  /** Lets through the statement at this index, or else all, now and from now on. */
  pass(index?: number): void;
}

/** A statement of a connection. Those of one connection go in their order. */
interface HeldStatement {
  connection: Socket;
  send(): void;
}

export async function proxyTo(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isHolding = false;
  const statements: HeldStatement[] = [];
  const server = createServer((client) => {
    if (isCut) return client.resetAndDestroy();
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .once("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    upstream.pipe(client);
    client.on("data", (bytes) => {
      const send = () => upstream.write(bytes);
      if (isHolding) statements.push({ connection: client, send });
      else send();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: through.href,
    cut,
    restore() {
      isCut = false;
    },
    hold() {
      isHolding = true;
    },
    get held() {
      return new Set(statements.map(({ connection }) => connection)).size;
    },
    pass(index) {
      if (index === undefined) {
        isHolding = false;
        for (const { send } of statements.splice(0)) send();
        return;
      }
      const connection = [...new Set(statements.map((one) => one.connection))][index];
      const [next] = statements.splice(
        statements.findIndex((one) => one.connection === connection),
        1,
      );
      next?.send();
    },
  };
}
