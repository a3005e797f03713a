/** Who may call an operation at all: by the account's plan, and by the mode of its key. */
import { refuse } from "../contract/errors.js";
import type { AnyOperation, Plan } from "../contract/operation.js";
import type { Account } from "../world/account.js";

const rank: Readonly<Record<Plan, number>> = { starter: 0, growth: 1, business: 2 };

export function checkMode(account: Account, operation: AnyOperation): void {
  if (operation.testModeOnly && account.live) {
    refuse("test_mode_only", {
      message: `${operation.id} has no effect on live accounts; call it with a test key.`,
    });
  }
}

export function checkPlan(account: Account, operation: AnyOperation): void {
  if (!operation.plan) return;
  const { plan } = account.settings;
  if (rank[plan] >= rank[operation.plan]) return;
  const message = `The account's plan is ${plan}; this needs ${operation.plan} or above.`;
  refuse("plan_required", { message, extra: { required_plan: operation.plan } });
}
