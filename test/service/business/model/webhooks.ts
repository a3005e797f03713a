/** A receiver of the run's webhooks: every event arrives, in the bytes that were fixed when it happened, signed. */
import { onTestFinished } from "vitest";
import { expectedSignature, type Receiver, startReceiver } from "../../../support/receiver.js";
import type { SeenEvent } from "./business.js";
import type { HttpBusiness } from "./over-http.js";

/** Every so manieth delivery is refused and comes again. */
const refusedEvery = 4;

export class Webhooks {
  private constructor(
    readonly receiver: Receiver,
    readonly secret: string,
  ) {}

  /** Registers the business for everything, as the first thing that it does. */
  static async of(business: HttpBusiness): Promise<Webhooks> {
    const receiver = await startReceiver((count, response) => {
      response.statusCode = count % refusedEvery === 0 ? 500 : 200;
      response.end();
    });
    onTestFinished(() => receiver.close());
    const { body } = await business.call("registerWebhook", { url: receiver.url });
    return new Webhooks(receiver, String(body.secret));
  }

  /** `happened` are the events that the account has, `undone` those that a restored snapshot took back. */
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

  /** Nothing is sent again once it has been taken. */
  mustHaveSentOnce(): void {
    const taken = this.receiver.received.filter((_, index) => (index + 1) % refusedEvery !== 0);
    const bodies = taken.map(({ body }) => body.toString("utf8"));
    const twice = bodies.find((body, index) => bodies.indexOf(body) !== index);
    if (twice) throw new Error(`delivered a second time: ${twice}`);
  }
}
