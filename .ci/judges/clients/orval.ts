import {
  checkPhoneVerification,
  createPayout,
  startPhoneVerification,
  verifyLiveness,
} from "./generated/client";

const [, key = "", selfie = ""] = process.argv.slice(2);
const options = { headers: { "X-Service-Key": key } };

const started = await startPhoneVerification({ phone: "08031234567" }, options);
if (started.status !== 201) throw new Error(started.data.error.message);
const checked = await checkPhoneVerification({ id: started.data.id, code: "000000" }, options);
if (checked.status !== 200) throw new Error(checked.data.error.message);
const status: "pending" | "verified" | "expired" | "max_attempts_reached" = checked.data.status;
const refused = await createPayout({ amount: 7000 }, options);
if (refused.status === 201) throw new Error("A payout without a payout account was accepted.");
// @ts-expect-error The amount is a number.
createPayout.bind(null, { amount: "7000" });

const file = new File([Buffer.from(selfie, "base64")], "selfie.png");
const liveness = await verifyLiveness({ file }, options);
if (liveness.status !== 200) throw new Error(liveness.data.error.message);

console.log(
  JSON.stringify({
    started: started.status,
    checked: status,
    refused: refused.data.error.code,
    liveness: liveness.data.type,
  }),
);
