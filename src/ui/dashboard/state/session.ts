/** Which account is shown, and the admin token where the sandbox asks for one. */
import { computed, signal } from "@preact/signals";
import type { ReplyOf } from "../../../contract/operation.js";
import type { listAccounts } from "../../../control/operator.js";
import { route } from "./route.js";

/** Path that the sandbox is served under, without a trailing slash. */
export const basePath = document.documentElement.dataset.base ?? "";
/** Base URL of the service, as this page reaches it. */
export const baseUrl = location.origin + basePath;

/** Id of the chosen account. Null: the account of the well-known test key. */
export const chosenAccount = computed(() => route.value.query.get("account"));

/** The well-known test key, whose account is shown where none is chosen. */
const testKey = document.documentElement.dataset.testKey ?? "";

/** Accounts in use, the last used first. */
export const accounts = signal<Readonly<ReplyOf<typeof listAccounts>["items"]>>([]);
/** Id of the account that is shown. Null until it is known. */
export const shownAccount = signal<string | null>(null);

/** Returns the name of an account, which is its key where that is well known, or null. */
export function labelOf(id: string): string | null {
  if (chosenAccount.value === null && id === shownAccount.value) return testKey;
  return accounts.value.find((account) => account.id === id)?.label ?? null;
}

const keyItem = (account: string) => `standin.key.${account}`;
const typedKeys = signal(0);

/** API key of the account that is shown, if it is known: a well-known key, or a key that was typed in this tab. */
export const serviceKey = computed(() => {
  void typedKeys.value;
  const id = shownAccount.value;
  if (id === null) return null;
  return labelOf(id) ?? sessionStorage.getItem(keyItem(id));
});

/** Keeps the key of an account, by default of the shown one, until the tab is closed. */
export function keepServiceKey(key: string, account = shownAccount.value): void {
  if (account) sessionStorage.setItem(keyItem(account), key);
  typedKeys.value++;
}

const tokenItem = "standin.admin-token";

/**
 * The token lives as long as the tab, and never in the address. Null as well in a browser that has signed in on a page of the
 * docs: its cookie takes the place of the token.
 */
export const adminToken = signal(sessionStorage.getItem(tokenItem));

/** Whether the control API asks for a token. */
export const isSignInNeeded = signal(false);

/** Signs in to the dashboard and, by a cookie, to the pages of the docs. Returns whether the token is right. */
export async function signIn(token: string): Promise<boolean> {
  const { type, status } = await fetch(`${baseUrl}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ token }),
    redirect: "manual",
  });
  if (status === 401) return false;
  if (type !== "opaqueredirect") throw new Error(`The sandbox answered the sign-in with ${status}.`);
  sessionStorage.setItem(tokenItem, token);
  adminToken.value = token;
  isSignInNeeded.value = false;
  return true;
}

/**
 * Asks for a token after a call with `used` was refused. Returns whether the call can be made again: the token was replaced
 * since, or the browser may have signed in elsewhere.
 */
export function askToSignIn(used: string | null): boolean {
  if (used !== adminToken.value) return true;
  if (used === null) isSignInNeeded.value = true;
  sessionStorage.removeItem(tokenItem);
  adminToken.value = null;
  return used !== null;
}
