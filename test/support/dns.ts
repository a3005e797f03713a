/** A DNS server on a real socket that only serves TXT records. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface DnsServer {
  /** Address and port. */
  address: string;
  /** Names that were queried. */
  asked: string[];
  close(): Promise<void>;
}

/** TXT records by name, each a list of chunks. `silent` receives queries without answering them. */
export async function startDns(
  records: Readonly<Record<string, readonly (readonly string[])[]>>,
  { silent = false } = {},
): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, question } = questionOf(query);
    asked.push(name);
    if (!silent) socket.send(answer(query.subarray(0, 2), question, records[name]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** After the header of 12 bytes: labels, each preceded by its length, then a zero, the type and the class. */
function questionOf(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), question: query.subarray(12, at + 5) };
}

const numbers = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const response = 0x8180;
const noSuchName = 3;

function answer(id: Buffer, question: Buffer, records: readonly (readonly string[])[] = []): Buffer {
  const flags = records.length === 0 ? response | noSuchName : response;
  const answers = records.map((chunks) => {
    const text = Buffer.concat(chunks.map((chunk) => Buffer.from([chunk.length, ...Buffer.from(chunk)])));
    // The queried name, type TXT, class IN, and a TTL of a minute.
    return Buffer.concat([numbers(0xc00c, 16, 1, 0, 60, text.length), text]);
  });
  return Buffer.concat([id, numbers(flags, 1, records.length, 0, 0), question, ...answers]);
}
