/** What is sent: the documented payloads with fresh ids, signed as the service signs them. */
import { type EventKind, events } from "../contract/events.js";
import { sign } from "../webhooks/sign.js";
import { eventPayload } from "../world/outbox/sent-event.js";
import type { Random } from "../world/time/random.js";
import { realNow, toIso } from "../world/time/time.js";
import type { Post } from "./check.js";

export class Posts {
  /** A secret of somebody else. */
  readonly otherSecret: string;

  constructor(
    readonly random: Random,
    readonly secret: string,
  ) {
    this.otherSecret = random.id("whsec_");
  }

  /** A delivery as the service sends it, about a record of its own unless `data` names one. */
  of(kind: EventKind, data: object = {}): Post {
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

  /** These bytes, as the service would sign and send them. */
  genuine(body: string): Post {
    return { body, signature: sign(body, this.secret), genuine: true };
  }

  /** These bytes with a right signature, though the service would not send them. */
  odd(body: string): Post {
    return { ...this.genuine(body), genuine: false };
  }

  /** A delivery with another signature than its own; null: with none. */
  forged(signature: (post: { body: string; right: string }) => string | null): Post {
    const { body } = this.of("payout.paid");
    return { body, signature: signature({ body, right: sign(body, this.secret) }), genuine: false };
  }
}
