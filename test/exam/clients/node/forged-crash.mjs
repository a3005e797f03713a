/** Receives webhooks. Bug: a wrong signature ends the process. */
import { given, isRepaired, receive, send, settled, until } from "./kit.mjs";

const seen = [];
await given(settled);
await receive(({ event }) => seen.push(event), {
  refuse() {
    if (!isRepaired) throw new Error("wrong signature");
    return 401;
  },
});
const { amount } = await send("POST", "/v1/business/payouts", { amount: 7_000 });
if (amount !== 7_000) throw new Error(`${amount} were paid out`);
await until(() => seen.includes("payout.requested"));
