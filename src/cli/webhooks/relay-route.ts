/** The way of test deliveries to a receiver behind a relay. */
import type { SandboxClient } from "../../client/client.js";
import type { RawRequestOptions, ReceiverAnswer } from "../../receiver-check/raw-request.js";
import { ReceiverUnreachable } from "../../receiver-check/reachable.js";
import type { ReceiverRoute } from "../../receiver-check/receiver-route.js";
import type { RelaySending } from "../../world/webhooks/relay.js";

type Headers = Readonly<Record<string, string>>;

export class RelayRoute implements ReceiverRoute {
  constructor(
    readonly client: SandboxClient,
    readonly relay: string,
    /** Time limit for an answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  post(headers: Headers, body: string, check: string): Promise<ReceiverAnswer> {
    return this.sendRaw(headers, body, check, {});
  }

  sendRaw(headers: Headers, body: string, check: string, options: RawRequestOptions) {
    return this.#send(headers, body, check, options);
  }

  async expectReachable(): Promise<void> {
    const { error } = await this.#send({}, "", "check", { connectOnly: true });
    if (error !== null) throw new ReceiverUnreachable(error);
  }

  async close(): Promise<void> {}

  async #send(
    headers: Headers,
    body: string,
    title: string,
    how: Omit<RelaySending, "timeout">,
  ): Promise<ReceiverAnswer> {
    const sending: RelaySending = { timeout: this.timeout, ...how };
    const { value } = await this.client.call("sendThroughRelay", {
      params: { name: this.relay },
      body: { headers, body, title, sending },
    });
    const { status, error, duration_ms = 0 } = value;
    return { status, error, duration_ms };
  }
}
