/** The webhook endpoint of `standin listen`, registered while the command runs and restored afterwards. */
import type { DeliveryEntry } from "../../library/types.js";
import type { CommandClient } from "../command-client.js";

interface Endpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  secret: string;
}

interface EndpointInput {
  url: string;
  events?: string[];
  description?: string;
}

export class ListenerEndpoint {
  private constructor(
    readonly api: CommandClient,
    readonly input: EndpointInput,
    /** The endpoint as it was before, if the URL was registered. */
    readonly previous: Endpoint | null,
    public endpoint: Endpoint,
    readonly earlier: readonly DeliveryEntry[],
  ) {}

  /** Registers the URL. An existing endpoint is only changed if other events are requested. */
  static async register(api: CommandClient, url: string, events: string[] | null): Promise<ListenerEndpoint> {
    const previous = (await endpointsOf(api)).find((endpoint) => endpoint.url === url) ?? null;
    const input = {
      url,
      ...(events ? { events } : {}),
      description: previous?.description ?? "standin listen",
    };
    const endpoint = previous && !events ? previous : await register(api, input);
    const earlier = previous ? await deliveriesTo(api, previous) : [];
    return new ListenerEndpoint(api, input, previous, endpoint, earlier);
  }

  deliveries(): Promise<DeliveryEntry[]> {
    return deliveriesTo(this.api, this.endpoint);
  }

  /** Registers the URL again after a reset of the account. */
  async restoreAfterReset(): Promise<void> {
    const { api, endpoint, input } = this;
    if ((await endpointsOf(api)).some(({ id }) => id === endpoint.id)) return;
    this.endpoint = await register(api, input);
  }

  /** Removes the endpoint, or restores the previous one. */
  async remove(): Promise<void> {
    const { api, previous, endpoint, input } = this;
    if (!previous) await api.control("DELETE", `/webhooks/${endpoint.id}`);
    else if (input.events) await register(api, toInput(previous));
  }

  /** Returns the line that is printed at the start. */
  summary() {
    const { id, url, events, secret } = this.endpoint;
    return {
      listening: true,
      url,
      endpoint_id: id,
      events,
      secret,
      registered_before: this.previous !== null,
    };
  }
}

const toInput = ({ url, events, description }: Endpoint): EndpointInput => ({
  url,
  events,
  ...(description === null ? {} : { description }),
});

async function endpointsOf(api: CommandClient): Promise<Endpoint[]> {
  return (await api.control<{ items: Endpoint[] }>("GET", "/webhooks")).value.items;
}

async function deliveriesTo(api: CommandClient, { id }: Endpoint): Promise<DeliveryEntry[]> {
  const path = `/deliveries?endpoint=${encodeURIComponent(id)}`;
  return (await api.control<{ items: DeliveryEntry[] }>("GET", path)).value.items;
}

async function register(api: CommandClient, body: EndpointInput): Promise<Endpoint> {
  return (await api.call<Endpoint>("POST", "/v1/webhooks", { body })).value;
}
