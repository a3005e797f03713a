import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { AccountName, GivenSecret, NullableFixedCode, naira } from "../contract/schemas.js";
import { releaseLimitHolds } from "../service/business/payments.js";
import type { Account } from "../world/account/account.js";
import { emptyAccount } from "../world/account/refill.js";
import { formatNaira, toKobo, toNaira } from "../world/money/money.js";
import { operation } from "./operation.js";

const Plan = Type.Enum(["starter", "growth", "business"]);

const AccountView = Type.Object({
  id: Type.String(),
  mode: Type.Enum(["test", "live"]),
  plan: Plan,
  balance: naira({ description: "Wallet that pays for calls, in NGN" }),
  currency: Type.Literal("NGN"),
  free_tier: Type.Integer({ description: "Free number lookups per month" }),
  free_tier_remaining: Type.Integer({ description: "Free number lookups left this month" }),
  tools_pass: Type.Boolean(),
  business_verified: Type.Boolean(),
  webhook_secret: Type.String({
    description: "Key of X-Service-Signature, unless each endpoint has its own (assumption webhooks.secret)",
  }),
  code: {
    ...NullableFixedCode,
    description: "Every one-time code with this number of digits; null: drawn codes",
  },
  name: AccountName,
});

function view(account: Account): Type.Static<typeof AccountView> {
  const { plan, free_tier, tools_pass, business_verified, webhook_secret } = account.settings;
  const { code = null, name = null } = account.settings;
  return {
    id: account.id,
    mode: account.live ? "live" : "test",
    plan,
    balance: toNaira(account.wallet.balance),
    currency: "NGN",
    free_tier,
    free_tier_remaining: account.freeTier.left,
    tools_pass,
    business_verified,
    webhook_secret,
    code,
    name,
  };
}

export const getAccount = operation({
  id: "getAccount",
  route: controlRoutes.getAccount,
  summary: "Get the plan, wallet and settings of the account",
  auth: "control",
  reply: { 200: AccountView },
  handle: ({ account }) => view(account),
});

export const updateAccount = operation({
  id: "updateAccount",
  route: controlRoutes.updateAccount,
  summary: "Change the plan, wallet and settings of the account",
  auth: "control",
  body: Type.Object(
    {
      plan: Type.Optional(Plan),
      balance: Type.Optional(naira({ minimum: 0 })),
      free_tier: Type.Optional(Type.Integer({ minimum: 0 })),
      free_tier_remaining: Type.Optional(Type.Integer({ minimum: 0 })),
      tools_pass: Type.Optional(Type.Boolean()),
      business_verified: Type.Optional(Type.Boolean()),
      webhook_secret: Type.Optional({
        ...GivenSecret,
        description: "Key of X-Service-Signature for all endpoints from now on, retries included",
      }),
      code: Type.Optional({
        ...NullableFixedCode,
        description:
          "Every one-time code with this number of digits, by SMS (6) and by message (4 to 8); null: drawn codes",
      }),
      name: Type.Optional(AccountName),
    },
    { additionalProperties: false },
  ),
  reply: { 200: AccountView },
  refuses: ["validation_error"],

  handle({ account, body, refuse }) {
    const { balance, ...settings } = body;
    const kobo = balance === undefined ? null : toKobo(balance);
    if (balance !== undefined && kobo === null) {
      refuse("validation_error", {
        param: "balance",
        message: `balance must be from NGN 0.00 to ${formatNaira(Number.MAX_SAFE_INTEGER)}, with at most two decimals; got ${balance}.`,
      });
    }
    account.commit("control", () => {
      account.settings = { ...account.settings, ...settings };
      // A new allowance applies from this month.
      const left = settings.free_tier_remaining ?? settings.free_tier;
      if (left !== undefined) account.freeTier.left = left;
      if (settings.business_verified) releaseLimitHolds(account);
      if (kobo !== null) account.wallet.balance = kobo;
    });
    return view(account);
  },
});

export const resetAccount = operation({
  id: "resetAccount",
  route: controlRoutes.resetAccount,
  summary:
    "Empty the account: records, clock, rules, endpoints and sequences; pending deliveries are cancelled",
  auth: "control",
  reply: { 200: AccountView },
  refuses: ["clock_busy"],

  handle({ account, refuse }) {
    if (account.advancing) refuse("clock_busy");
    emptyAccount(account);
    return view(account);
  },
});
