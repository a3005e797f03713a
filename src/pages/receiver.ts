/** A webhook receiver for demos and for tests of rules: it answers 204 to genuine deliveries and 401 to forged ones. */
import { Router, raw } from "express";
import { signatureHeader } from "../contract/headers.js";
import { formatPayload, payloadForms } from "../world/webhooks/delivery.js";

export interface ReceiverOptions {
  /** Returns whether the body has this signature with a secret of the account. False if there is no such account. */
  isGenuineDelivery(account: string, body: Uint8Array, signature: string): Promise<boolean>;
}

/** Creates the routes of the receiver. They need no admin token, since deliveries have none, and they change nothing. */
export function receiverRoutes({ isGenuineDelivery }: ReceiverOptions): Router {
  const router = Router();
  router.post(
    "/receiver/:account",
    raw({ type: () => true, limit: "1mb", inflate: false }),
    async (request, response) => {
      const signature = request.get(signatureHeader) ?? "";
      const account = request.params.account as string;
      let isGenuine = false;
      for (const body of bodiesOf(request.body))
        isGenuine ||= await isGenuineDelivery(account, body, signature);
      response.status(isGenuine ? 204 : 401).end();
    },
  );
  return router;
}

/**
 * Returns the bytes of a body. If an application that the sandbox is mounted in has parsed it, returns the bytes that a
 * delivery would have had.
 */
const bodiesOf = (body: unknown): Buffer[] =>
  Buffer.isBuffer(body)
    ? [body]
    : payloadForms.map((form) => Buffer.from(formatPayload((body ?? {}) as object, form)));
