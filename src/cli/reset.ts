/** `standin reset`: the account, as if nothing had happened. */
import type { Command } from "commander";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";

export const resetCommand = (): Command =>
  onSandbox(
    taught("reset", "Empty the account: records, messages, webhooks, wallet and clock begin anew.", [
      "standin reset",
      "standin reset --key svc_test_another",
    ]),
  ).action(async (flags: SteeringFlags) => {
    const api = controlApi(flags);
    print(flags, await api.call("POST", "/reset"), () => `The account of ${api.key} is empty again.`);
  });
