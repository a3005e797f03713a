/** The eight identity checks: a valid request of each, with changes by the test, and its cost. */
import type { SandboxAccount } from "../../../src/index.js";
import { file, formOf, formType, png } from "../../support/forms.js";
import { call, post, type Reply, read } from "../../support/sandbox.js";

interface Check {
  path: string;
  type: string;
  /** In naira, from the price list. */
  price: number;
  /** A valid JSON body; omitted if files are sent. */
  body?: Readonly<Record<string, unknown>>;
  /** Form fields of photos. */
  files?: readonly string[];
}

/** Numbers of unknown people. */
export const unknown = {
  bvn: "22876543210",
  nin: "41876543210",
  licence_number: "KJA12345AB67",
  account_number: "1143728169",
} as const;

const bank_code = "058";
const { bvn, nin, licence_number, account_number } = unknown;

export const checks = {
  verifyBvn: {
    path: "/v1/verify/bvn",
    type: "bvn",
    price: 50,
    body: { bvn, phone_number: "08031234567" },
  },
  verifyNin: { path: "/v1/verify/nin", type: "nin", price: 50, body: { nin } },
  verifyFrsc: { path: "/v1/verify/frsc", type: "frsc", price: 50, body: { licence_number } },
  verifyBankAccount: {
    path: "/v1/verify/bank-account",
    type: "bank_account",
    price: 20,
    body: { account_number, bank_code },
  },
  verifyBvnAccountMatch: {
    path: "/v1/verify/bvn-account-match",
    type: "bvn_account_match",
    price: 60,
    body: { account_number, bank_code, bvn },
  },
  verifyDocument: { path: "/v1/verify/document", type: "document", price: 30, files: ["file"] },
  verifyLiveness: { path: "/v1/verify/liveness", type: "liveness", price: 25, files: ["file"] },
  verifyFaceMatch: {
    path: "/v1/verify/face-match",
    type: "face_match",
    price: 35,
    files: ["selfie", "id_photo"],
  },
} as const satisfies Record<string, Check>;

export type CheckId = keyof typeof checks;
export const checkIds = Object.keys(checks) as CheckId[];
export const lookupIds = checkIds.filter((id) => "body" in checks[id]);
export const photoIds = checkIds.filter((id) => "files" in checks[id]);
export const modes = ["test", "live"] as const;

/** Sends a valid request with these fields changed. For photos the fields are file names. */
export function send(
  account: SandboxAccount,
  id: CheckId,
  change: Readonly<Record<string, unknown>> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { path, body, files }: Check = checks[id];
  if (!files) return post(account, path, { ...body, ...change }, headers);
  const names = Object.fromEntries(files.map((field) => [field, "photo.png"]));
  return sendFiles(account, path, { ...names, ...change } as Record<string, string>, headers);
}

/** Returns a form with a picture in each field, under these file names. */
export async function sendFiles(
  account: SandboxAccount,
  path: string,
  filenames: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
  picture: Uint8Array = png,
): Promise<Reply> {
  const parts = Object.entries(filenames).map(([field, filename]) => file(field, picture, filename));
  const body = new Uint8Array(formOf(parts));
  return read(
    await account.fetch(path, { method: "POST", headers: { "Content-Type": formType, ...headers }, body }),
  );
}

export const balanceOf = async (account: SandboxAccount): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

/** Returns the reply and the amount that /v1/balance lost. */
export async function costOf(
  account: SandboxAccount,
  act: () => Promise<Reply>,
): Promise<{ reply: Reply; cost: number }> {
  const before = await balanceOf(account);
  const reply = await act();
  return { reply, cost: before - (await balanceOf(account)) };
}

/** Returns the account's stored records of checks. */
export async function storedChecks(account: SandboxAccount): Promise<Record<string, unknown>[]> {
  const { state } = await account.control<{ state: Record<string, Record<string, object>> }>(
    "GET",
    "/snapshot",
  );
  return Object.values(state.verification ?? {}) as Record<string, unknown>[];
}
