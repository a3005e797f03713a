/** Which account is shown, and the admin token where the sandbox asks for one. */
import { computed, signal } from "@preact/signals";
import type { ReplyOf } from "../../contract/operation.js";
import type { listAccounts } from "../../control/accounts.js";
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

/** API key of the account that is shown, where it is known: a well-known one, or one that was typed in this tab. */
export const serviceKey = computed(() => {
  void typedKeys.value;
  const id = shownAccount.value;
  if (id === null) return null;
  return labelOf(id) ?? sessionStorage.getItem(keyItem(id));
});

/** Keeps the key of the account that is shown until the tab is closed. */
export function keepServiceKey(key: string): void {
  if (shownAccount.value) sessionStorage.setItem(keyItem(shownAccount.value), key);
  typedKeys.value++;
}

const tokenItem = "standin.admin-token";

/** The token lives as long as the tab, and never in the address. */
export const adminToken = signal(sessionStorage.getItem(tokenItem));

export interface SignInRequest {
  /** Message of the control API. */
  reason: string;
  /** Whether a token was sent. */
  isWrong: boolean;
}

/** Set while the control API asks for a token. */
export const signInRequest = signal<SignInRequest | null>(null);

export function signIn(token: string): void {
  sessionStorage.setItem(tokenItem, token);
  adminToken.value = token;
  signInRequest.value = null;
}

/** Asks for a token after a call with `used` was refused. A late refusal of a token that was replaced since is ignored. */
export function askToSignIn(reason: string, used: string | null): void {
  if (signInRequest.value || used !== adminToken.value) return;
  signInRequest.value = { reason, isWrong: used !== null };
  sessionStorage.removeItem(tokenItem);
  adminToken.value = null;
}
