/** Which account is shown, and the admin token where the sandbox asks for one. */
import { computed, signal } from "@preact/signals";
import { route } from "./route.js";

/** Path that the sandbox is served under, without a trailing slash. */
export const basePath = document.documentElement.dataset.base ?? "";
/** Base URL of the service, as this page reaches it. */
export const baseUrl = location.origin + basePath;

/** Id of the chosen account. Null: the account of the well-known test key. */
export const chosenAccount = computed(() => route.value.query.get("account"));

/** Names of the accounts of well-known keys, which are the keys themselves, by account id. */
export const accountLabels = signal<ReadonlyMap<string, string>>(new Map());
/** Id of the account that is shown. Null until it is known. */
export const shownAccount = signal<string | null>(null);

const keyItem = (account: string) => `standin.key.${account}`;
const typedKeys = signal(0);

/** API key of the account that is shown, where it is known: a well-known one, or one that was typed in this tab. */
export const serviceKey = computed(() => {
  void typedKeys.value;
  const id = shownAccount.value;
  if (id === null) return null;
  return accountLabels.value.get(id) ?? sessionStorage.getItem(keyItem(id));
});

/** Keeps the key of the account that is shown until the tab is closed. */
export function keepServiceKey(key: string): void {
  if (shownAccount.value) sessionStorage.setItem(keyItem(shownAccount.value), key);
  typedKeys.value++;
}

const tokenItem = "standin.admin-token";

/** The token lives as long as the tab, and never in the address. */
export const adminToken = signal(sessionStorage.getItem(tokenItem));

/** Whether the control API has refused the token, or its absence; the reason that it gave. */
export const signInReason = signal<string | null>(null);

export function signIn(token: string): void {
  sessionStorage.setItem(tokenItem, token);
  adminToken.value = token;
  signInReason.value = null;
}

export function askToSignIn(reason: string): void {
  sessionStorage.removeItem(tokenItem);
  adminToken.value = null;
  signInReason.value = reason;
}
