/** The endpoint of `standin listen` on the account: registered while it lasts, and afterwards as it was before. */
import type { DeliveryEntry } from "../../library/types.js";
import type { ControlApi } from "../control-api.js";

interface Endpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  secret: string;
}

interface Wanted {
  url: string;
  events?: string[];
  description?: string;
}

export class Listening {
  private constructor(
    readonly api: ControlApi,
    readonly wanted: Wanted,
    /** As it was before, if it was. */
    readonly before: Endpoint | null,
    public endpoint: Endpoint,
    /** What was delivered there before. */
    readonly earlier: readonly DeliveryEntry[],
  ) {}

  /** One that is registered already is touched only where other events are asked for. */
  static async start(api: ControlApi, url: string, events: string[] | null): Promise<Listening> {
    const before = (await endpointsOf(api)).find((endpoint) => endpoint.url === url) ?? null;
    const wanted = {
      url,
      ...(events ? { events } : {}),
      description: before?.description ?? "standin listen",
    };
    const endpoint = before && !events ? before : await register(api, wanted);
    return new Listening(api, wanted, before, endpoint, before ? await deliveriesTo(api, before) : []);
  }

  deliveries(): Promise<DeliveryEntry[]> {
    return deliveriesTo(this.api, this.endpoint);
  }

  /** A reset takes endpoints away, and tests reset between each other: this one comes back. */
  async keep(): Promise<void> {
    const { api, endpoint, wanted } = this;
    if ((await endpointsOf(api)).some(({ id }) => id === endpoint.id)) return;
    this.endpoint = await register(api, wanted);
  }

  /** Puts back what was there before. */
  async end(): Promise<void> {
    const { api, before, endpoint, wanted } = this;
    if (!before) await api.call("DELETE", `/webhooks/${endpoint.id}`);
    else if (wanted.events) await register(api, toWanted(before));
  }

  describe(): string {
    const { url, events, secret } = this.endpoint;
    const which = events.includes("*") ? "All events" : events.join(", ");
    return [
      `${which} of the account ${this.api.key} go to ${url}${this.before ? ", which was registered before" : ""}.`,
      `Secret: ${secret} (X-Service-Signature is the hex HMAC-SHA256 of the raw body under it)`,
      "Ctrl+C stops.",
      "",
    ].join("\n");
  }

  toJson(): string {
    const { id, url, events, secret } = this.endpoint;
    return JSON.stringify({
      listening: true,
      url,
      endpoint_id: id,
      events,
      secret,
      registered_before: this.before !== null,
    });
  }
}

const toWanted = ({ url, events, description }: Endpoint): Wanted => ({
  url,
  events,
  ...(description === null ? {} : { description }),
});

async function endpointsOf(api: ControlApi): Promise<Endpoint[]> {
  return (await api.call<{ items: Endpoint[] }>("GET", "/webhooks")).value.items;
}

async function deliveriesTo(api: ControlApi, { id }: Endpoint): Promise<DeliveryEntry[]> {
  const path = `/deliveries?endpoint=${encodeURIComponent(id)}`;
  return (await api.call<{ items: DeliveryEntry[] }>("GET", path)).value.items;
}

async function register(api: ControlApi, wanted: Wanted): Promise<Endpoint> {
  return (await api.service<Endpoint>("POST", "/v1/webhooks", wanted)).value;
}
