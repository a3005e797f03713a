/** Snapshots as bytes over HTTP, an account with records of every kind, and forged documents. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { AnyOperation } from "../../src/contract/operation.js";
import type { SandboxAccount, Snapshot } from "../../src/index.js";
import { ask } from "../contract/alternatives/asking.js";
import { post, type Reply, read, startPhone } from "./sandbox.js";

export const frozenAt = "2030-06-01T12:00:00.000Z";

const path = "/_sandbox/snapshot";

export const bytesOf = async (account: SandboxAccount): Promise<string> => (await account.fetch(path)).text();

export async function putSnapshot(account: SandboxAccount, body: string): Promise<Reply> {
  const headers = { "Content-Type": "application/json" };
  return read(await account.fetch(path, { method: "PUT", headers, body }));
}

/** Restores the bytes of a snapshot, and expects the same bytes of the copy. */
export async function restoreCopy(copy: SandboxAccount, bytes: string): Promise<void> {
  const { status, body } = await putSnapshot(copy, bytes);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(await bytesOf(copy)).toBe(bytes);
}

/** Returns a reply without its request id and account id. */
const withoutIds = ({ status, body }: Reply): string =>
  JSON.stringify([status, body]).replaceAll(/\b(?:req|acct)_\w+/g, "");

/** Asks these operations of both accounts. */
export async function expectSameReplies(
  account: SandboxAccount,
  copy: SandboxAccount,
  which: readonly AnyOperation[],
): Promise<void> {
  for (const operation of which)
    expect(withoutIds(await ask(copy, operation)), operation.id).toBe(
      withoutIds(await ask(account, operation)),
    );
}

/** Creates records of every kind on a new account with a frozen clock. */
export async function busyAccount(account: SandboxAccount): Promise<SandboxAccount> {
  await account.clock.freeze(frozenAt);
  await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["payout.paid"] });
  await account.rules.add({ on: "startPhoneVerification", outcome: "sms_failed", times: 1 });
  for (let i = 0; i < 3; i++) await startPhone(account);
  await account.events.trigger("payout.paid");
  await account.advance("2s");
  return account;
}

/** Returns everything that the account shows, without what identifies the account. */
export async function shown(account: SandboxAccount): Promise<unknown> {
  const { id, ...settings } = await account.update({});
  const lists = ["/inbox", "/rules", "/webhooks", "/events", "/deliveries"];
  return [settings, ...(await Promise.all(lists.map((path) => account.control("GET", path))))];
}

// biome-ignore lint/suspicious/noExplicitAny: what is forged may be anything
export type Forge = (document: any) => void;

/** Changes the document and recalculates its checksum, as a forger would. */
export function forged(snapshot: Snapshot, change: Forge): Snapshot {
  const { checksum, ...document } = structuredClone(snapshot);
  change(document);
  return { ...document, checksum: createHash("sha256").update(JSON.stringify(document)).digest("hex") };
}

/** Sets the value at the path. A new record takes all other fields from the first record of its table. */
export const forgedAt = (snapshot: Snapshot, where: string, value: unknown): Snapshot =>
  forged(snapshot, (document) => {
    const path = where.split(".");
    const name = path.pop() as string;
    const parent = path.reduce((inner, key) => inner[key], document);
    const like = path.length === 2 && path[1] !== "account" && typeof value === "object" && value !== null;
    parent[name] = like ? { ...(Object.values(parent)[0] as object), id: name, ...value } : value;
  });
