import type { FixedSettings } from "../records/account-settings.js";
import type { Account } from "./account.js";

/** Gives a stored account the settings that the operator has fixed. A new account has them from the start. */
export function fixSettings(account: Account, fixed: FixedSettings): void {
  const { settings } = account;
  const names = Object.keys(fixed) as (keyof FixedSettings)[];
  if (names.every((name) => settings[name] === fixed[name])) return;
  account.commit("control", () => {
    account.settings = { ...settings, ...fixed };
  });
}
