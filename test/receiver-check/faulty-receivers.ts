/** Receivers on real sockets, each with one mistake; the first has none. */
import { timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import { timer } from "../../src/time/time.js";
import { expectedSignature, type Received, type Receiver, startReceiver } from "../support/receiver.js";

export const secret = "whsec_of_the_tests";

const right = (body: Buffer): string => expectedSignature(body, secret);
const given = ({ headers }: Received): string | undefined => headers["x-service-signature"]?.toString();

function parsed({ body }: Received): { id?: string } | null {
  try {
    return JSON.parse(String(body));
  } catch {
    return null;
  }
}

/** Returns the answer of a receiver without mistakes. */
export function rightStatus(received: Received): number {
  if (given(received) !== right(received.body)) return 401;
  return parsed(received) === null ? 400 : 204;
}

/** Returns the status, or null for no answer. `receiver` is the running receiver. */
type Behaviour = (received: Received, count: number, receiver: () => Receiver) => number | null;

const failsAgain: Behaviour = ((seen: Set<string>) => (received: Received) => {
  const status = rightStatus(received);
  const { id } = parsed(received) ?? {};
  if (status !== 204 || id === undefined) return status;
  if (seen.has(id)) return 500;
  seen.add(id);
  return status;
})(new Set());

function dies(when: (received: Received) => boolean): Behaviour {
  return (received, _count, receiver) => {
    if (!when(received)) return rightStatus(received);
    void receiver().close();
    return null;
  };
}

export const behaviours = {
  right: rightStatus,
  "does not look at signatures": (received) => (parsed(received) === null ? 400 : 204),
  "checks JSON that it wrote anew": (received) => {
    const body = parsed(received);
    if (body === null) return 400;
    return given(received) === right(Buffer.from(JSON.stringify(body))) ? 204 : 401;
  },
  "fails at what it has seen before": failsAgain,
  "fails once": (received, count) => (count === 1 ? 500 : rightStatus(received)),
  redirects: () => 302,
  hangs: () => null,
  "has another secret": (received) =>
    given(received) === expectedSignature(received.body, "whsec_of_yesterday") ? 204 : 401,
  "takes hex in any case": (received) =>
    rightStatus({
      ...received,
      headers: { ...received.headers, "x-service-signature": given(received)?.toLowerCase() },
    }),
  "throws at signatures of another length": (received) => {
    try {
      const fits = timingSafeEqual(Buffer.from(given(received) ?? ""), Buffer.from(right(received.body)));
      return fits ? rightStatus(received) : 401;
    } catch {
      return 500;
    }
  },
  "dies of bad JSON": dies((received) => given(received) === right(received.body) && !parsed(received)),
  "dies of a wrong signature": dies((received) => given(received) !== right(received.body)),
  "takes everything": () => 200,
  "takes small bodies only": (received) => (received.body.length > 65_536 ? 413 : rightStatus(received)),
  "refuses kinds that it does not know": (received) =>
    String(received.body).includes("reconsidered") ? 400 : rightStatus(received),
} satisfies Record<string, Behaviour>;

export async function startFaulty(name: keyof typeof behaviours, slowness = 0): Promise<Receiver> {
  const behaviour: Behaviour = behaviours[name];
  const receiver: Receiver = await startReceiver((count, response: ServerResponse, received) => {
    const status = behaviour(received, count, () => receiver);
    if (status === null) return;
    const answer = () => response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    if (slowness > 0) timer(slowness, answer);
    else answer();
  });
  return receiver;
}
