/** Compares what the client's system believes with the records and balances of the sandbox. */
import * as Type from "typebox";
import { parseJson } from "../contract/json.js";
import { formatNaira, toNaira } from "../contract/money.js";
import { exactly } from "../contract/schemas.js";
import { compileValidator, detailsOf } from "../contract/validate.js";
import { charge } from "../service/business/charges.js";
import { payment } from "../service/business/payments.js";
import { payout } from "../service/business/payouts.js";
import { refund } from "../service/business/refunds.js";
import { phoneVerification } from "../service/phone/phone.js";
import type { Account } from "../world/account/account.js";

/** Output of the command of `--reconcile`. */
export const Beliefs = exactly({
  payments: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        "Status of payments, charges, payouts and refunds, by id or reference. `paid` of a payment is its `success`",
    }),
  ),
  balances: Type.Optional(
    exactly(
      {
        available: Type.Optional(Type.Number()),
        pending: Type.Optional(Type.Number()),
        held: Type.Optional(Type.Number()),
      },
      { description: "Balances of the business in naira, of the account in SERVICE_KEY" },
    ),
  ),
  verified: Type.Optional(
    Type.Array(Type.String(), { description: "Phones, or ids of their verifications, that are verified" }),
  ),
});
export type Beliefs = Type.Static<typeof Beliefs>;

/** Reads what the command printed. Returns the reason as a sentence if that is not what it should be. */
export async function readBeliefs(printed: string): Promise<Beliefs | string> {
  const beliefs = parseJson(printed);
  if (beliefs === undefined) return "The command of --reconcile has to print one JSON document.";
  const validate = await compileValidator(Beliefs);
  if (validate(beliefs)) return beliefs as Beliefs;
  return `What the command of --reconcile printed is wrong: ${detailsOf(validate, "document")[0]?.message}`;
}

interface MoneyRecord {
  account: Account;
  id: string;
  /** Names that the client may use for it. */
  names: readonly string[];
  state: string;
}

function* moneyRecords(account: Account): Generator<MoneyRecord> {
  const { records } = account;
  for (const { id, state } of records.newest(payment)) yield { account, id, names: [id], state };
  for (const record of records.newest(charge)) {
    const { status } = charge.view(record, account).payment;
    yield { account, id: record.id, names: [record.id], state: status };
  }
  for (const machine of [payout, refund])
    for (const { id, reference, state } of records.newest<typeof payout | typeof refund>(machine))
      yield { account, id, names: [id, reference], state };
}

/** Returns what happened last to a record, as a sentence. */
function lastActivity({ account, id }: MoneyRecord): string {
  const found = account.activities.log.find(id);
  return found ? ` What happened last: ${found.summary || found.refs.operation} (${found.id}).` : "";
}

function comparePayments(accounts: readonly Account[], payments: Beliefs["payments"] = {}): string | null {
  const records = accounts.flatMap((account) => [...moneyRecords(account)]);
  for (const [name, believed] of Object.entries(payments)) {
    const record = records.find(({ names }) => names.includes(name));
    if (!record)
      return `The client believes that ${name} is ${believed}, and the sandbox has no such record.`;
    if (record.state === believed || (record.state === "success" && believed === "paid")) continue;
    return `The client believes that ${name} is ${believed}, and it is ${record.state}.${lastActivity(record)}`;
  }
  return null;
}

function compareBalances({ ledger }: Account, believed: Beliefs["balances"] = {}): string | null {
  for (const name of ["available", "pending", "held"] as const) {
    const kobo = ledger.balance(name);
    if (believed[name] === undefined || believed[name] === toNaira(kobo)) continue;
    return `The client believes that NGN ${believed[name]} are ${name}, and ${formatNaira(kobo)} are.`;
  }
  return null;
}

function compareVerified(accounts: readonly Account[], verified: readonly string[] = []): string | null {
  for (const name of verified) {
    const all = accounts.flatMap((account) => [...account.records.newest(phoneVerification)]);
    const own = all.filter(({ id, phone }) => id === name || phone === name);
    if (own.some(({ state }) => state === "verified")) continue;
    const state = own[0]?.state;
    return `The client believes that ${name} is verified, and ${state ? `it is ${state}` : "no code was sent to it"}.`;
  }
  return null;
}

/** Returns the first divergence as a sentence, or null. `mainId` is the id of the account whose key the command got. */
export function divergence(
  accounts: readonly Account[],
  mainId: string,
  { payments, balances, verified }: Beliefs,
): string | null {
  const main = accounts.find(({ id }) => id === mainId);
  return (
    comparePayments(accounts, payments) ??
    (main ? compareBalances(main, balances) : null) ??
    compareVerified(accounts, verified)
  );
}
