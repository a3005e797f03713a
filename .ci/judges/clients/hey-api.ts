import type { OnPayoutPaidWebhookPayload } from "./generated";
import {
  checkPhoneVerification,
  createPayout,
  generateLogo,
  startPhoneVerification,
  verifyLiveness,
} from "./generated";
import { client } from "./generated/client.gen";

const [baseUrl = "", key = "", selfie = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: key });

const started = await startPhoneVerification({ body: { phone: "08031234567" } });
const checked = await checkPhoneVerification({ body: { id: started.data?.id ?? "", code: "000000" } });
const status: "pending" | "verified" | "expired" | "max_attempts_reached" | undefined = checked.data?.status;
const refused = await createPayout({ body: { amount: 7000 } });
// @ts-expect-error The amount is a number.
createPayout.bind(null, { body: { amount: "7000" } });

const file = new File([Buffer.from(selfie, "base64")], "selfie.png");
const liveness = await verifyLiveness({ body: { file } });

const colours = { primary_color: "#112233", secondary_color: "#ddeeff" };
const logo = await generateLogo({ body: { company_name: "Ada", style: "badge", size: 64, ...colours } });

const paid: OnPayoutPaidWebhookPayload["data"]["status"] = "paid";
// @ts-expect-error A paid payout has no other status.
const requested: OnPayoutPaidWebhookPayload["data"]["status"] = "requested";

console.log(
  JSON.stringify({
    started: started.response.status,
    checked: status,
    refused: refused.error?.error.code,
    liveness: liveness.data?.type,
    logo: (await logo.data?.text())?.slice(0, 4),
    events: [paid, requested],
  }),
);
