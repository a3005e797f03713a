/** A pact broker: it lists and serves pacts, and accepts verification results. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface BrokerRequest {
  route: string;
  authorization: string | undefined;
  body: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? null : JSON.parse(Buffer.concat(parts).toString());
}

interface BrokerPact {
  pact: object;
  notices?: readonly { when: string; text: string }[];
}

/** Serves each pact at `GET /pacts/{index}`, with the links that a broker adds. */
export async function startBroker(pacts: readonly BrokerPact[], { acceptsResults = true } = {}) {
  const requests: BrokerRequest[] = [];
  let url = "";
  const linked = (pact: object, index: number) => ({
    ...pact,
    _links: {
      self: { href: `${url}/pacts/${index}` },
      "pb:provider": { href: `${url}/service` },
      "pb:publish-verification-results": { href: `${url}/results` },
    },
  });
  const forVerification = "/pacts/for-verification";
  const replies: Record<string, (() => object) | undefined> = {
    "GET /": () => ({
      _links: { "pb:provider-pacts-for-verification": { href: url + forVerification, templated: false } },
    }),
    [`GET ${forVerification}`]: () => ({ _links: { self: { href: url + forVerification } } }),
    [`POST ${forVerification}`]: () => ({
      _embedded: {
        pacts: pacts.map(({ notices = [] }, index) => ({
          shortDescription: "latest from main",
          verificationProperties: { pending: false, notices },
          _links: { self: { href: `${url}/pacts/${index}`, name: `pact ${index} with the service` } },
        })),
      },
    }),
    ...Object.fromEntries(pacts.map(({ pact }, index) => [`GET /pacts/${index}`, () => linked(pact, index)])),
    "GET /service": () => ({
      _links: { "pb:branch-version": { href: `${url}/{branch}/{version}`, templated: true } },
    }),
    "PUT /main/1.2.3": () => ({}),
    ...(acceptsResults ? { "POST /results": () => ({}) } : {}),
  };
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    requests.push({ route, authorization: request.headers.authorization, body: await bodyOf(request) });
    const reply = replies[route];
    response.writeHead(reply ? 200 : 404, { "Content-Type": "application/hal+json" });
    response.end(JSON.stringify(reply?.() ?? { error: "no such page" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, body: (route: string) => requests.find((one) => one.route === route)?.body };
}
