/** The account: its plan, wallet, settings and business money, and the operations that reset and rewind it. */
import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { formatNaira, formatNumber, type Kobo, toKobo, toNaira } from "../contract/money.js";
import { AccountName, GivenSecret, NullableFixedCode, naira, Timestamp } from "../contract/schemas.js";
import { releaseLimitHolds } from "../service/business/payments.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { historyLimit } from "../world/account/commits.js";
import { contextOf, emptyAccount, rewind, type SentDelivery } from "../world/account/replace-state.js";
import { operation } from "./operation.js";
import { activityIdDescription } from "./schemas.js";
import { requireActivity } from "./view-activity.js";

/** Settings that a tester reads and changes, apart from the wallet and the secret. */
export const settingFields = {
  plan: Type.Enum(["starter", "growth", "business"]),
  free_tier: Type.Integer({ minimum: 0, description: "Free number lookups per month" }),
  free_tier_remaining: Type.Integer({ minimum: 0, description: "Free number lookups left this month" }),
  tools_pass: Type.Boolean(),
  business_verified: Type.Boolean(),
  code: {
    ...NullableFixedCode,
    description:
      "Value of every one-time code with this number of digits, by SMS (6) and by message (4 to 8). Null if codes are drawn",
  },
  name: AccountName,
};

const AccountView = Type.Object({
  id: Type.String(),
  mode: Type.Enum(["test", "live"]),
  balance: naira({ description: "Wallet that pays for calls, in NGN" }),
  currency: Type.Literal("NGN"),
  ...settingFields,
  webhook_secret: Type.String({
    description: "Key of X-Service-Signature, unless each endpoint has its own (assumption webhooks.secret)",
  }),
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
  summary: "Get the plan, wallet and settings of the account",
  reply: { 200: AccountView },
  handle: ({ account }) => view(account),
});

export const updateAccount = operation({
  id: "updateAccount",
  summary: "Change the plan, wallet and settings of the account",
  body: Type.Partial(
    Type.Object({
      balance: naira({ minimum: 0 }),
      ...settingFields,
      webhook_secret: {
        ...GivenSecret,
        description: "Key of X-Service-Signature for all endpoints from now on, retries included",
      },
    }),
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
  summary:
    "Empty the account: records, clock, rules, endpoints and sequences; pending deliveries are cancelled",
  reply: { 200: AccountView },
  refuses: ["clock_busy"],

  handle({ account, refuse }) {
    if (account.advancing) refuse("clock_busy");
    emptyAccount(account);
    return view(account);
  },
});

const SentDeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  attempts: Type.Integer({ description: "Number of attempts that the receiver got since then" }),
  in_flight: Type.Boolean({ description: "Whether an attempt is on the wire" }),
});

const viewSent = ({ record, attempts, inFlight }: SentDelivery): Type.Static<typeof SentDeliveryView> => ({
  id: record.id,
  event_id: record.event_id,
  event: record.event,
  url: record.url,
  attempts: attempts.length,
  in_flight: inFlight,
});

export const rewindAccount = operation({
  id: "rewindAccount",
  summary:
    "Take the account back to the moment before an activity, so that the same requests get the same replies",
  description: [
    `Brings back records, ledger, jobs, clock, rules and the sequences of ids, and removes the activities since then. Reaches back ${formatNumber(historyLimit)} commits, within this run of the sandbox. Coverage is kept.`,
    "A move, message or event is rewound together with the call or job that it belongs to. On a running clock, jobs that are due run again at once: freeze the clock first, or rewind further.",
    "Webhooks cannot be called back: the reply lists those that receivers have got.",
  ].join("\n\n"),
  rewindsIds: true,
  body: Type.Object(
    {
      to: Type.String({
        description: activityIdDescription,
      }),
    },
    { additionalProperties: false },
  ),
  reply: {
    200: Type.Object({
      rewound_to: Type.String({ description: "Id of the first activity that was undone" }),
      at: Timestamp,
      commits: Type.Integer({ description: "Number of commits that were undone" }),
      now: Timestamp,
      sent: Type.Array(SentDeliveryView, {
        description: "Webhooks that were sent since then or are on the wire, and cannot be called back",
      }),
    }),
  },
  refuses: ["validation_error", "resource_not_found", "clock_busy"],

  handle({ account, body: { to }, refuse }) {
    if (account.advancing) refuse("clock_busy");
    const target = contextOf(account, requireActivity(account, to, "to"));
    if (!account.history.reaches(target.number)) {
      const message = `${target.id} is too far back: the account can be rewound by ${formatNumber(historyLimit)} commits, and not to a moment before it was read from the disk. Choose a later activity, or take a snapshot in time: ${controlRoutes.getSnapshot}.`;
      return refuse("validation_error", { param: "to", message });
    }
    const { commits, sent } = rewind(account, target);
    return {
      rewound_to: target.id,
      at: toIso(target.at),
      commits,
      now: account.clock.iso(),
      sent: sent.map(viewSent),
    };
  },
});

const Amounts = Type.Record(Type.String(), naira());

const toAmounts = (kobo: Readonly<Partial<Record<string, Kobo>>>): Record<string, number> =>
  Object.fromEntries(Object.entries(kobo).map(([name, amount]) => [name, toNaira(amount ?? 0)]));

function* newestEntries({ ledger }: Account, record: string | undefined, limit: number) {
  let count = 0;
  for (const { at, about, legs } of ledger.newest(record)) {
    if (count++ === limit) return;
    yield { at, record: about, amounts: toAmounts(legs) };
  }
}

export const getLedger = operation({
  id: "getLedger",
  summary: "Get the balances of the business money and its ledger entries, newest first",
  description: "The amounts of an entry add up to zero, and so do all balances.",
  query: Type.Object({
    record: Type.Optional(Type.String({ description: "Id of a record: only its entries are listed" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "Default: all" })),
  }),
  reply: {
    200: Type.Object({
      balances: Amounts,
      items: Type.Array(
        Type.Object({
          at: Timestamp,
          record: Type.String({ description: "Id of the record whose move posted the entry" }),
          amounts: Amounts,
        }),
      ),
    }),
  },

  handle({ account, query: { record, limit = Number.POSITIVE_INFINITY } }) {
    const balances = toAmounts(account.ledger.balances());
    const items = [...newestEntries(account, record, limit)];
    return { balances, items };
  },
});
