/** Follows a payout to its end. Bug: an older event that arrives late sets the state back. */
import { advance, given, isRepaired, receive, send, settled, until } from "./kit.mjs";

const order = ["requested", "paid"];
const state = { now: null, events: 0 };
await given(settled);
await receive(({ event }) => {
  const [, name] = event.split(".");
  state.events++;
  if (!isRepaired || order.indexOf(name) > order.indexOf(state.now)) state.now = name;
});
const { amount } = await send("POST", "/v1/business/payouts", { amount: 7_000 });
if (amount !== 7_000) throw new Error(`${amount} were paid out`);
await advance("5m");
await until(() => state.events >= 2);
await advance("5m");
await until(() => state.now === "paid", 4_000);
