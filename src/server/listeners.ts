/** The servers of one application: HTTP, and HTTPS beside it. */
import type { Server } from "node:http";
import type { Express } from "express";
import type { Guard } from "./guard.js";
import { type CreateServer, listen, serverFactory, stopListening } from "./listen.js";
import type { Replies } from "./replies.js";
import { nameOfHost } from "./request-address.js";
import type { TlsSettings } from "./tls/identity.js";

export class Listeners {
  /** Serves over HTTP. It does not listen before `listen()`. */
  readonly server: Server;
  readonly #create: CreateServer;
  #secure: Server | null = null;
  /** URL of the HTTPS listener, once it listens. */
  tlsUrl: string | null = null;
  /** Certificate of the local authority in PEM. Null without HTTPS, and for a certificate from files. */
  ca: string | null = null;

  constructor(app: Express, replies: Replies, guard: Guard) {
    this.#create = serverFactory(app, replies, guard);
    this.server = this.#create(null);
  }

  /** Listens, and resolves with the URL at which the process reaches itself. */
  async listen(port: number, host: string, tls: TlsSettings | null): Promise<string> {
    const name = nameOfHost(host);
    if (tls) {
      const { loadIdentity } = await import("./tls/identity.js");
      const { options: identity, authority } = await loadIdentity(tls);
      const https = await import("node:https");
      this.#secure = this.#create((options, serve) => https.createServer({ ...options, ...identity }, serve));
      this.tlsUrl = `https://${name}:${await listen(this.#secure, tls.port, host)}`;
      this.ca = authority;
    }
    return `http://${name}:${await listen(this.server, port, host)}`;
  }

  async stop(): Promise<void> {
    await Promise.all([this.server, this.#secure].map((server) => server && stopListening(server)));
  }
}
