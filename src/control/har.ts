/** The requests of an account as an HTTP archive (HAR 1.2), for other tools. */
import { STATUS_CODES } from "node:http";
import * as Type from "typebox";
import { JsonText } from "../contract/reply-forms.js";
import { redactor } from "../contract/secrets.js";
import type { Account } from "../world/account/account.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import { tablesOf } from "../world/snapshot/snapshot.js";
import { gatherText, withCommas } from "../world/store/text-pieces.js";
import { listTables, secretsOf } from "./bundle.js";
import type { ControlContext } from "./operation.js";
import { type RequestView, viewRequest } from "./requests.js";
import { OpaqueObject } from "./schemas.js";

export const HttpArchive = Type.Object({
  log: Type.Object({
    version: Type.Literal("1.2"),
    creator: Type.Object({ name: Type.String(), version: Type.String() }),
    entries: Type.Array(OpaqueObject, { description: "Oldest first" }),
  }),
});

/** Returns the last 1,000 requests as an HTTP archive. A request whose connection was reset has status 0. */
export async function exportHar({ account, sandbox }: ControlContext): Promise<JsonText> {
  const requests = await account.requests.list();
  return new JsonText(await gatherText(harText(account, requests, sandbox.version)));
}

function* harText(account: Account, requests: readonly JournalEntry[], version: string): Generator<string> {
  const secrets = yield* secretsOf(yield* listTables(tablesOf(account)), requests);
  const redact = redactor(secrets);
  const creator = { name: "Standin", version };
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  const byArrival = [...requests].reverse().sort((a, b) => a.at - b.at);
  yield* withCommas(byArrival, (entry) =>
    JSON.stringify(
      toEntry(redact({ ...viewRequest(entry), form: entry.form }) as ArchivedRequest, account.baseUrl),
    ),
  );
  yield "]}}";
}

const pairs = (values: Iterable<readonly [string, string]>) =>
  [...values].map(([name, value]) => ({ name, value }));

/** Value of an unknown size, as the format defines it. */
const unknownSize = -1;

type ArchivedRequest = Type.Static<typeof RequestView> & Pick<JournalEntry, "form">;

/** Returns the fields of a form, and its files without their bytes. */
const paramsOf = ({ fields, files }: NonNullable<JournalEntry["form"]>) => [
  ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
  ...files.map(({ field, filename, type }) => ({
    name: field,
    fileName: filename,
    ...(type === null ? {} : { contentType: type }),
  })),
];

/** Returns the value of a header, whose name is in lower case. */
const headerIn = (headers: Readonly<Record<string, string>>, wanted: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

function toEntry(request: ArchivedRequest, baseUrl: string) {
  const { at, method, path, headers, body, form, reply, reply_headers, duration_ms, operation: id } = request;
  const status = request.status ?? 0;
  const [, query = ""] = path.split(/\?(.*)/s);
  const mimeType = headerIn(headers, "content-type") ?? "";
  const connection = {
    httpVersion: "HTTP/1.1",
    cookies: [],
    headersSize: unknownSize,
    bodySize: unknownSize,
  };
  return {
    startedDateTime: at,
    time: duration_ms,
    request: {
      method,
      url: baseUrl + path,
      headers: pairs(Object.entries(headers)),
      queryString: pairs(new URLSearchParams(query)),
      ...(body === null ? {} : { postData: { mimeType, text: body } }),
      ...(form === null ? {} : { postData: { mimeType, params: paramsOf(form) } }),
      ...connection,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? "",
      headers: pairs(Object.entries(reply_headers)),
      content: {
        size: Number(headerIn(reply_headers, "content-length") ?? Buffer.byteLength(reply ?? "")),
        mimeType: headerIn(reply_headers, "content-type") ?? (reply === null ? "" : "application/json"),
        ...(reply === null ? {} : { text: reply }),
      },
      redirectURL: "",
      ...connection,
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    ...(id === null ? {} : { comment: id }),
  };
}
