/** Bundles of accounts, opened in another sandbox, and what both show. */
import type { SandboxAccount } from "../../src/index.js";

export interface Bundle {
  standin: object;
  mode: "test" | "live";
  now: string;
  snapshot: { state: object };
  history: object;
}

/** Opens the bundle in an account that has no state, and returns it. */
export async function openBundle(account: SandboxAccount, bundle: Bundle): Promise<SandboxAccount> {
  await account.control("PUT", "/snapshot", bundle.snapshot);
  await account.control("PUT", "/bundle/history", bundle.history);
  return account;
}

type View = Record<string, unknown>;

/** Returns what the dashboard shows of an account with these tables, with names for ids of accounts and local addresses. */
export async function shown(account: SandboxAccount, tables: readonly string[]): Promise<unknown> {
  const text = JSON.stringify(await read(account, tables));
  return JSON.parse(
    text
      .replace(/acct_[a-z2-7]{16}/g, "acct")
      .replace(/http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, "http://sandbox"),
  );
}

async function read(account: SandboxAccount, tables: readonly string[]) {
  const { items: machines } = await account.control<{ items: { name: string }[] }>("GET", "/machines");
  const lists = [
    "/ledger",
    "/deliveries",
    "/events",
    "/rules",
    "/inbox",
    "/requests",
    "/activity?limit=1000",
  ];
  return {
    clock: { ...(await account.clock.get()), mode: "paused" },
    records: await Promise.all(
      machines
        .filter(({ name }) => tables.includes(name))
        .map(({ name }) => account.control("GET", `/machines/${name}/records`)),
    ),
    lists: await Promise.all(lists.map((path) => account.control("GET", path))),
  };
}

/** Returns the value with everything left out that a bundle redacts, or that depends on the webhook secret. */
export function masked(value: unknown, like: unknown): unknown {
  // The answer to an identity question is never stored.
  if (typeof like === "string" && /\[redacted\]|^\[answer to /.test(like)) return like;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => masked(item, (like as unknown[])?.[at]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const its = (like as View | undefined)?.[key];
      return [key, key === "X-Service-Signature" ? its : masked(inner, its)];
    }),
  );
}

/** Returns the BVNs and NINs of a scenario. */
export const numbersIn = (scenario: object): string[] =>
  [...JSON.stringify(scenario).matchAll(/"(?:bvn|nin)":"(\d{11})"/g)].map(([, number]) => number as string);

/** Returns the secrets that an account has seen. */
export async function secretsOf(account: SandboxAccount, scenario: object): Promise<string[]> {
  const codes = (await account.inbox.list()).flatMap((message) => message.codes);
  const { webhook_secret } = await account.control<{ webhook_secret: string }>("GET", "/account");
  return [account.key, webhook_secret, ...codes.filter((code) => code.length > 4), ...numbersIn(scenario)];
}
