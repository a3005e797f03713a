/** A DNS server and a web server on real sockets, and sandboxes that use them. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type SandboxAccount, startSandbox } from "../../../src/index.js";
import { type DnsServer, startDns } from "../../support/dns.js";
import { freePort } from "../../support/port.js";
import { checked, started } from "./dashboard.js";

export const name = "_service-verify.shop.example";
export const path = "/.well-known/service-verify.txt";

interface Site {
  origin: string;
  asked: string[];
}

/** Serves the given paths; other paths are 404. */
export async function startSite(answers: Record<string, (response: ServerResponse) => void>): Promise<Site> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const answer = answers[url];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export async function startNames(...args: Parameters<typeof startDns>): Promise<DnsServer> {
  const dns = await startDns(...args);
  onTestFinished(() => dns.close());
  return dns;
}

/** Servers that a sandbox asks: none if omitted, the domain itself if null. */
interface Asked {
  dns?: DnsServer;
  origin?: string | null;
}

/** Creates an account in a new sandbox. Its token is always the same, so that servers can know it in advance. */
export async function accountAsking({ dns, origin }: Asked): Promise<SandboxAccount> {
  const nobody = `127.0.0.1:${await freePort()}`;
  const web = origin === undefined ? `http://${nobody}` : origin;
  const domains = { lookup: "real", resolver: dns?.address ?? nobody, origin: web } as const;
  const sandbox = await startSandbox({ domains, validateReplies: true });
  onTestFinished(() => sandbox.close());
  return sandbox.account({ key: "svc_test_real_lookup" });
}

export const token = async (): Promise<string> => (await started(await accountAsking({}))).token;

export async function checkedWith(servers: Asked) {
  const account = await accountAsking(servers);
  return checked(account, (await started(account)).id);
}

export const text =
  (content: string, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end(content);

export const redirect =
  (location: string, status = 302) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { Location: location }).end();
