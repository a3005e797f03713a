/** A receiver of the run's webhooks: every event arrives signed, in the bytes that were fixed when it occurred. */
import { onTestFinished } from "vitest";
import { expectedSignature, type Receiver, startReceiver } from "../../../support/receiver.js";
import type { SeenEvent } from "./business.js";
import type { HttpBusiness } from "./over-http.js";

/** Interval of deliveries that are refused and therefore retried. */
const refusedEvery = 4;

export class Webhooks {
  private constructor(
    readonly receiver: Receiver,
    readonly secret: string,
  ) {}

  /** Registers the endpoint for all events before anything else. */
  static async of(business: HttpBusiness): Promise<Webhooks> {
    const receiver = await startReceiver((count, response) => {
      response.statusCode = count % refusedEvery === 0 ? 500 : 200;
      response.end();
    });
    onTestFinished(() => receiver.close());
    const { body } = await business.call("registerWebhook", { url: receiver.url });
    return new Webhooks(receiver, String(body.secret));
  }

  /** `happened` are the account's events, `undone` those that a restored snapshot removed. */
  mustHaveCarried(happened: readonly SeenEvent[], undone: readonly SeenEvent[]): void {
    const bodies = new Set([...happened, ...undone].map(({ body }) => body));
    const arrived = new Set<string>();
    for (const { body, headers } of this.receiver.received) {
      const text = body.toString("utf8");
      if (!bodies.has(text)) throw new Error(`a delivery carries what never happened: ${text}`);
      const signature = expectedSignature(body, this.secret);
      if (headers["x-service-signature"] !== signature) throw new Error(`the signature of ${text} is wrong`);
      arrived.add(text);
    }
    const missing = happened.filter(({ body }) => !arrived.has(body));
    if (missing.length > 0) throw new Error(`never delivered: ${missing.map(({ body }) => body).join("\n")}`);
  }

  /** Expects no delivery after a successful one. */
  mustHaveSentOnce(): void {
    const taken = this.receiver.received.filter((_, index) => (index + 1) % refusedEvery !== 0);
    const bodies = taken.map(({ body }) => body.toString("utf8"));
    const twice = bodies.find((body, index) => bodies.indexOf(body) !== index);
    if (twice) throw new Error(`delivered a second time: ${twice}`);
  }
}
