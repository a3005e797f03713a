/** Address checks, and locations at a chosen distance from the address. */
import type { SandboxAccount } from "../../../src/index.js";
import { moved, type Position } from "../../../src/service/address/score.js";
import { file, formOf, formType, png } from "../../support/forms.js";
import { post, type Reply, read } from "../../support/sandbox.js";

export const verifyPath = "/v1/verify/address";
export const locationPath = (id: string): string => `${verifyPath}/${id}/location`;
export const documentPath = (id: string): string => `${verifyPath}/${id}/document`;

export const house = "12 Allen Avenue, Ikeja, Lagos";

/** Fields of a check that tests read. */
export interface Check {
  id: string;
  status: string;
  confirm_url: string;
  address: { formatted: string } & Position;
}

export const start = (account: SandboxAccount, changes: object = {}): Promise<Reply> =>
  post(account, verifyPath, { address: house, full_name: "Chioma Eze", country: "NG", ...changes });

export async function started(account: SandboxAccount, changes: object = {}): Promise<Check> {
  const { status, body } = await start(account, changes);
  if (status !== 201) throw new Error(`the check was refused: ${JSON.stringify(body)}`);
  return body;
}

interface Fix {
  latitude: number;
  longitude: number;
  accuracy_m: number;
}

/** Returns the location `metres` north of the address. */
export const away = ({ address }: Check, metres: number, accuracy_m = 10): Fix => ({
  ...moved(address, metres, 0),
  accuracy_m,
});

/** Locations that give full, half (inaccurate phone) and no points with the default radius of 200 m. */
export const near = (check: Check): Fix => away(check, 0);
export const inaccurate = (check: Check): Fix => away(check, 260, 80);
export const far = (check: Check): Fix => away(check, 5_000);

export const locate = (account: SandboxAccount, { id }: { id: string }, fix: object): Promise<Reply> =>
  post(account, locationPath(id), fix);

/** Returns a photo of a document; its file name selects what it shows. */
export async function submit(
  account: SandboxAccount,
  { id }: { id: string },
  filename = "bill.png",
  { content = png, headers = {} }: { content?: string | Uint8Array; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const body = new Uint8Array(formOf([file("file", content, filename)]));
  const response = await account.fetch(documentPath(id), {
    method: "POST",
    headers: { "Content-Type": formType, ...headers },
    body,
  });
  return read(response);
}

/** Returns the check and all events of its account. */
export const seen = async (account: SandboxAccount, { id }: { id: string }) => ({
  record: await account.records.get(id),
  events: await account.events.list(),
});
