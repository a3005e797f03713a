/** A shop's API on top of the service: sellers request withdrawals and see their status. */
import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";

/** `service` has the base URL, the key and the webhook secret; production reads them from its environment. */
export function createApp(service) {
  const withdrawals = new Map();
  const app = express();

  app.post("/withdrawals", express.json(), async (request, response) => {
    const reply = await fetch(`${service.baseUrl}/v1/business/payouts`, {
      method: "POST",
      headers: { "X-Service-Key": service.key, "Content-Type": "application/json" },
      body: JSON.stringify({ amount: request.body.amount }),
    });
    // Sellers get a 503 if the service fails.
    if (reply.status >= 500) return response.status(503).json({ error: "try_again_later" });
    const payout = await reply.json();
    if (!reply.ok) return response.status(422).json({ error: payout.error.code });
    withdrawals.set(payout.id, { id: payout.id, amount: payout.amount, state: "on its way" });
    response.status(201).json(withdrawals.get(payout.id));
  });

  app.get("/withdrawals/:id", (request, response) => {
    response.json(withdrawals.get(request.params.id));
  });

  // The signature covers the raw bytes, so express.json() must not parse them.
  app.post("/webhooks", express.raw({ type: "application/json" }), (request, response) => {
    if (!isGenuine(request.body, request.get("X-Service-Signature"))) return response.sendStatus(401);
    const { event, data } = JSON.parse(request.body);
    const withdrawal = withdrawals.get(data.id);
    if (withdrawal && event === "payout.paid") withdrawal.state = "paid";
    if (withdrawal && (event === "payout.failed" || event === "payout.rejected"))
      withdrawal.state = "returned to your balance";
    response.sendStatus(200);
  });

  function isGenuine(rawBody, signature = "") {
    const expected = Buffer.from(createHmac("sha256", service.webhookSecret).update(rawBody).digest("hex"));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return app;
}
