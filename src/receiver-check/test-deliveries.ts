/** Builds test deliveries: the documented payloads with fresh ids, signed as the service signs them. */
import { type EventKind, events } from "../service/webhooks/events.js";
import type { Random } from "../time/random.js";
import { realNow, toIso } from "../time/time.js";
import { eventPayload } from "../world/webhooks/sent-event.js";
import { sign } from "../world/webhooks/sign.js";
import type { TestDelivery } from "./exchange.js";

export class TestDeliveries {
  /** A secret that the receiver does not know. */
  readonly otherSecret: string;

  constructor(
    readonly random: Random,
    readonly secret: string,
  ) {
    this.otherSecret = random.id("whsec_");
  }

  /** Returns a delivery as the service sends it, about a new record unless `data` names one. */
  of(kind: EventKind, data: object = {}): TestDelivery {
    return this.genuine(JSON.stringify(this.payload(kind, data)));
  }

  payload(kind: EventKind, data: object = {}): object {
    const { example } = events[kind];
    const [prefix] = /^[a-z]+_/.exec(String(example.id)) ?? [];
    const facts = {
      id: this.random.id("evt_"),
      event: kind,
      created_at: toIso(realNow()),
      is_test: true,
      data: { ...example, ...(prefix === undefined ? {} : { id: this.random.id(prefix) }), ...data },
    };
    return eventPayload(facts, {
      jobId: kind === "verification.completed" ? this.random.id("ver_") : undefined,
    });
  }

  /** Returns this body signed as the service would sign it. */
  genuine(body: string): TestDelivery {
    return { body, signature: sign(body, this.secret), genuine: true };
  }

  /** Returns this body with a valid signature, though the service would not send it. */
  unexpected(body: string): TestDelivery {
    return { ...this.genuine(body), genuine: false };
  }

  /** Returns a delivery with the signature that the function returns, or without a signature header for null. */
  forged(signature: (delivery: { body: string; right: string }) => string | null): TestDelivery {
    const { body } = this.of("payout.paid");
    return { body, signature: signature({ body, right: sign(body, this.secret) }), genuine: false };
  }
}
