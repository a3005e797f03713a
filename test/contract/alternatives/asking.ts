/** Valid requests of any operation, which tests can make invalid. */
import { type AnyOperation, methodOf } from "../../../src/contract/operation.js";
import type { SandboxAccount } from "../../../src/index.js";
import { serviceOperations } from "../../../src/service/index.js";
import { sessionToken } from "../../service/domains/dashboard.js";
import { png } from "../../support/forms.js";
import { rightFields, targetOf } from "../../support/requests.js";
import { fetchFrom, type Reply, read } from "../../support/sandbox.js";

export const operations = serviceOperations;

export const named = (id: string): AnyOperation =>
  operations.find((operation) => operation.id === id) as AnyOperation;

/** Returns operations with their ids, for test.each. */
export const byId = (which: (operation: AnyOperation) => unknown = () => true) =>
  operations.filter(which).map((operation) => [operation.id, operation] as const);

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** The magic bytes of each media type. */
const bytesOf: Readonly<Record<string, Uint8Array>> = {
  "image/png": png,
  "application/pdf": latin1("%PDF-1.7\n"),
  "application/zip": latin1(`PK\x05\x06${"\0".repeat(18)}`),
  "audio/wav": latin1("RIFF\x24\0\0\0WAVEfmt "),
  "video/mp4": latin1("\0\0\0\x18ftypisom\0\0\0\0isommp42"),
};

export interface Changes {
  /** Query without the question mark. */
  search?: string;
  /** Additional fields of the body or form. With `only`, they replace the valid ones. */
  fields?: Readonly<Record<string, unknown>>;
  only?: true;
  /** Additional files, by field. */
  files?: Readonly<Record<string, Uint8Array>>;
  headers?: Readonly<Record<string, string>>;
  /** Path parameters, in place of allowed or unknown ones. */
  params?: Readonly<Record<string, string>>;
}

/** Values of fields whose schema does not suffice to generate valid ones. */
const known: Readonly<Record<string, unknown>> = { bank_code: "058", text: "word ".repeat(200) };

const rightBody = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rightFields(operation)).map(([name, text]) => [name, known[name] ?? JSON.parse(text)]),
  );

/** Fills in the path parameters: an allowed value, or an unknown id. */
function paramOf({ params }: AnyOperation): string {
  const [schema] = Object.values(params?.properties ?? {}) as { enum?: readonly string[] }[];
  return schema?.enum?.[0] ?? "phv_0";
}

function rightFiles({ upload = {} }: AnyOperation): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(upload).map(([name, { types = [] }]) => {
      const type = Object.keys(bytesOf).find((known) => types.includes(known));
      return [name, bytesOf[type ?? ""] as Uint8Array];
    }),
  );
}

function formOf(fields: Record<string, unknown>, files: Record<string, Uint8Array>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [name, bytes] of Object.entries(files))
    form.set(name, new File([new Uint8Array(bytes)], "photo.png"));
  return form;
}

/** Returns the credentials that the operation requires, as headers. */
export async function credentials(account: SandboxAccount, { auth }: AnyOperation) {
  if (auth === "session") return { Authorization: `Bearer ${await sessionToken(account)}` };
  return { "X-Service-Key": account.key };
}

const fillRoute = (
  { route }: AnyOperation,
  params: Readonly<Record<string, string>>,
): AnyOperation["route"] =>
  route.replaceAll(/\{(\w+)\}/g, (found, name) => params[name] ?? found) as AnyOperation["route"];

export async function ask(
  account: SandboxAccount,
  operation: AnyOperation,
  { search = "", fields = {}, only, files = {}, headers = {}, params = {} }: Changes = {},
): Promise<Reply> {
  const all = only ? fields : { ...rightBody(operation), ...fields };
  const target = targetOf({ ...operation, route: fillRoute(operation, params) }, paramOf(operation), search);
  const init = {
    method: methodOf(operation),
    headers: { ...(await credentials(account, operation)), ...headers },
  };
  if (operation.upload) {
    const form = formOf(all, only ? {} : { ...rightFiles(operation), ...files });
    return read(await fetchFrom(account, target, { ...init, body: form }));
  }
  if (!operation.body) return read(await fetchFrom(account, target, init));
  const json = { "Content-Type": "application/json", ...init.headers };
  return read(await fetchFrom(account, target, { ...init, headers: json, body: JSON.stringify(all) }));
}

/** Returns an invalid request: an empty body or form, or an unknown outcome. */
export const askWrongly = (account: SandboxAccount, operation: AnyOperation): Promise<Reply> =>
  operation.body || operation.upload
    ? ask(account, operation, { only: true })
    : ask(account, operation, { headers: { "X-Sandbox-Outcome": "nothing_of_the_kind" } });

export const takesInput = ({ body, upload }: AnyOperation): boolean => Boolean(body || upload);
