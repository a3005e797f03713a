import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./generated/contract.js";

const [url = "", key = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { "X-Service-Key": key } });

const started = await client.POST("/v1/phone/verify/start", { body: { phone: "08031234567" } });
const check = await client.POST("/v1/phone/verify/check", {
  body: { id: started.data?.id ?? "", code: "000000" },
});
const status: "pending" | "verified" | "expired" | "max_attempts_reached" | undefined = check.data?.status;
const refused = await client.POST("/v1/business/payouts", { body: { amount: 7000 } });
const error: components["schemas"]["Error"] | undefined = refused.error;
// @ts-expect-error The amount is a number.
client.POST.bind(null, "/v1/business/payouts", { body: { amount: "7000" } });

type Payload = webhooks["payout.paid"]["post"]["requestBody"]["content"]["application/json"];
const paid: Payload["data"]["status"] = "paid";
// @ts-expect-error A paid payout has no other status.
const requested: Payload["data"]["status"] = "requested";

console.log(JSON.stringify([started.response.status, status, error?.error.code, paid, requested]));
