/** The webhook endpoint of `standin listen`, registered while the command runs and restored afterwards. */
import { hostname } from "node:os";
import type { WebhookEntry as Endpoint } from "../../client/account/types.js";
import type { SandboxClient } from "../../client/client.js";
import type { BodyOf } from "../../contract/operation.js";
import type { addWebhook } from "../../control/webhooks.js";
import { isLoopback } from "../../server/guard.js";

export type EndpointInput = BodyOf<typeof addWebhook>;

/** Description of endpoints that are registered only for their listeners. */
const ownDescription = "standin listen";
const maxNameLength = 64;

/**
 * Returns the name of the relay to a receiver on this machine. It is the same in each run, so that no event is lost
 * between runs.
 */
export function relayNameFor(url: string | null): string {
  const { hostname: host, port, pathname } = new URL(url ?? "http://localhost/print");
  const words = [hostname(), ...(isLoopback(host) ? [] : [host]), port, pathname].join("-");
  return words
    .replaceAll(/[^\w.]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, maxNameLength);
}

export class ListenerEndpoint {
  private constructor(
    readonly api: SandboxClient,
    readonly input: EndpointInput,
    /** The endpoint before this run; null if there was none or if another run of the command registered it. */
    readonly previous: Endpoint | null,
    public endpoint: Endpoint,
  ) {}

  /** Registers the relay. An existing endpoint is only changed if other events are requested. */
  static async register(
    api: SandboxClient,
    relay: string,
    events: EndpointInput["events"] | null,
  ): Promise<ListenerEndpoint> {
    const url = `relay:${relay}`;
    const known = (await endpointsOf(api)).find((endpoint) => endpoint.url === url) ?? null;
    const description = known?.description ?? ownDescription;
    const input = { url, ...(events ? { events } : {}), description };
    const endpoint = known && !events ? known : await register(api, input);
    return new ListenerEndpoint(api, input, description === ownDescription ? null : known, endpoint);
  }

  /** Registers the relay again if a reset of the account has removed it. */
  async restore(api: SandboxClient): Promise<void> {
    const { endpoint, input } = this;
    if ((await endpointsOf(api)).some(({ id, url }) => id === endpoint.id && url === endpoint.url)) return;
    this.endpoint = await register(api, input);
  }

  /** Removes the endpoint, or restores the previous one. Other listeners of the relay keep it. */
  async remove(otherListeners: number): Promise<void> {
    const { api, previous, endpoint, input } = this;
    if (otherListeners > 0) return;
    if (!previous) await api.call("deleteWebhook", { params: { id: endpoint.id } });
    else if (input.events) await register(api, toInput(previous));
  }

  /** Returns whether the account sends its events to the receiver directly as well. */
  async isRegisteredDirectly(receiver: string): Promise<boolean> {
    return (await endpointsOf(this.api)).some(({ url }) => url === receiver);
  }
}

const toInput = ({ url, events, description }: Endpoint): EndpointInput => ({
  url,
  events,
  ...(description === null ? {} : { description }),
});

/** Returns the endpoints of the account, newest first. */
export const endpointsOf = async (api: SandboxClient): Promise<Endpoint[]> =>
  (await api.call("listWebhooks")).value.items;

const register = async (api: SandboxClient, body: EndpointInput): Promise<Endpoint> =>
  (await api.call("addWebhook", { body })).value;
