/** A broker with one pact, as far as a verification asks one: which pacts there are, each of them, and the results. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Asked {
  route: string;
  authorization: string | undefined;
  body: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? null : JSON.parse(Buffer.concat(parts).toString());
}

/** `GET /pacts/shop` is the pact itself; a broker adds where its results go. */
export async function startBroker(pact: object, { takesResults = true } = {}) {
  const asked: Asked[] = [];
  let url = "";
  const forVerification = "/pacts/for-verification";
  const replies: Record<string, (() => object) | undefined> = {
    "GET /": () => ({
      _links: { "pb:provider-pacts-for-verification": { href: url + forVerification, templated: false } },
    }),
    [`GET ${forVerification}`]: () => ({ _links: { self: { href: url + forVerification } } }),
    [`POST ${forVerification}`]: () => ({
      _embedded: {
        pacts: [
          {
            shortDescription: "latest from main",
            verificationProperties: { pending: false, notices: [] },
            _links: { self: { href: `${url}/pacts/shop`, name: "the pact between shop and service" } },
          },
        ],
      },
    }),
    "GET /pacts/shop": () => ({
      ...pact,
      _links: {
        self: { href: `${url}/pacts/shop` },
        "pb:provider": { href: `${url}/service` },
        "pb:publish-verification-results": { href: `${url}/results` },
      },
    }),
    "GET /service": () => ({
      _links: { "pb:branch-version": { href: `${url}/{branch}/{version}`, templated: true } },
    }),
    "PUT /main/1.2.3": () => ({}),
    ...(takesResults ? { "POST /results": () => ({}) } : {}),
  };
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    asked.push({ route, authorization: request.headers.authorization, body: await bodyOf(request) });
    const reply = replies[route];
    response.writeHead(reply ? 200 : 404, { "Content-Type": "application/hal+json" });
    response.end(JSON.stringify(reply?.() ?? { error: "no such page" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, body: (route: string) => asked.find((one) => one.route === route)?.body };
}
