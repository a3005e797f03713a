/** Which account is shown, and the admin token where the sandbox asks for one. */
import { computed, signal } from "@preact/signals";
import { route } from "./route.js";

/** Path that the sandbox is served under, without a trailing slash. */
export const basePath = document.documentElement.dataset.base ?? "";
/** Base URL of the service, as this page reaches it. */
export const baseUrl = location.origin + basePath;

/** Id of the chosen account. Null: the account of the well-known test key. */
export const chosenAccount = computed(() => route.value.query.get("account"));

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
