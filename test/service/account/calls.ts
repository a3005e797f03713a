/** A valid call of each operation with a price, and the account's balance and usage. */
import type { SandboxAccount } from "../../../src/index.js";
import { file, png } from "../../support/forms.js";
import { call, post, type Reply } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { start } from "../address/checks.js";

export type Call = (account: SandboxAccount) => Promise<Reply>;

export const phoneCode: Call = (account) =>
  post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });

/** The SMS fails and the charge is refunded. */
export const failedPhoneCode: Call = (account) =>
  post(account, "/v1/phone/verify/start", { phone: "+2348000000002" });

export const dashboardCode: Call = (account) =>
  post(account, "/_sandbox/phone/start", { phone: "+2348031234567" });

export const bvn: Call = (account) =>
  post(account, "/v1/verify/bvn", { bvn: "22301948576", phone_number: "+2348031234567" });

export const address: Call = (account) => start(account);

export const deepAudit: Call = (account) =>
  post(account, "/v1/audits", { url: "https://shop.example", tier: "deep" });

/** Fails after four minutes and is refunded. */
export const failingDeepAudit: Call = (account) =>
  post(account, "/v1/audits", { url: "https://deepfail.test", tier: "deep" });

/** The five number lookups by type. */
export const lookups: Readonly<Record<string, Call>> = {
  bvn,
  nin: (account) => post(account, "/v1/verify/nin", { nin: "35402817694" }),
  frsc: (account) => post(account, "/v1/verify/frsc", { licence_number: "LSR48213AA05" }),
  bank_account: (account) =>
    post(account, "/v1/verify/bank-account", { account_number: "0143728169", bank_code: "058" }),
  bvn_account_match: (account) =>
    post(account, "/v1/verify/bvn-account-match", {
      account_number: "0143728169",
      bank_code: "058",
      bvn: "22301948576",
    }),
};

/** The other verifications by type. */
export const checks: Readonly<Record<string, Call>> = {
  address,
  document: (account) => upload(account, [file("file", png)], "/v1/verify/document"),
  liveness: (account) => upload(account, [file("file", png)], "/v1/verify/liveness"),
  face_match: (account) =>
    upload(account, [file("selfie", png), file("id_photo", png)], "/v1/verify/face-match"),
};

export const getBalance = async (account: SandboxAccount) => (await call(account, "GET", "/v1/balance")).body;

export const usage = (account: SandboxAccount, from: string, to: string): Promise<Reply> =>
  call(account, "GET", `/v1/usage?from=${from}&to=${to}`);

/** Returns what a successful call costs the wallet. */
export async function costOf(account: SandboxAccount, make: Call): Promise<number> {
  const before = (await getBalance(account)).balance;
  const { status, body } = await make(account);
  if (status >= 300) throw new Error(`refused: ${JSON.stringify(body)}`);
  return before - (await getBalance(account)).balance;
}
