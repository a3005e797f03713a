/** The HTTP request of a delivery attempt, genuine or forged as a rule asks. */
import { changeHeaders } from "../../contract/headers.js";
import { isObject, parseJson, setAtPath } from "../../contract/json.js";
import type { Account } from "../account/account.js";
import type { Delivery, Tampering } from "./delivery.js";
import { formatPayload, type PayloadBytes } from "./sent-event.js";
import { sign } from "./sign.js";
import { signatureHeader } from "./signature.js";

export interface AttemptRequest {
  headers: Record<string, string>;
  body: string;
}

/** Returns what an attempt sends, by its number from 1; `extended` adds the headers of assumption webhooks.headers. */
export function attemptRequest(
  account: Account,
  record: Delivery,
  genuineBody: string,
  attemptNumber: number,
  extended: boolean,
): AttemptRequest {
  const { headers: changes = {}, body: changed } = (attemptNumber === 1 && record.changes) || {};
  const bytes = account.outbox.options.assumptions["webhooks.bytes"];
  const body = changed === undefined ? withValues(genuineBody, record.set, bytes) : toText(changed);
  const documented = {
    "content-type": "application/json",
    [signatureHeader]: sign(body, account.outbox.secretFor({ id: record.endpoint_id, url: record.url })),
  };
  const headers = extended
    ? {
        ...documented,
        "X-Service-Event": record.event,
        "X-Service-Delivery": record.id,
        "X-Service-Attempt": String(attemptNumber),
      }
    : documented;
  const request = { headers: Object.fromEntries(changeHeaders(Object.entries(headers), changes)), body };
  return record.tamper && attemptNumber === 1 ? forge(request, record.tamper) : request;
}

/** Returns a payload with values that a rule replaces or adds. */
function withValues(body: string, set: Delivery["set"], bytes?: PayloadBytes): string {
  const payload = set && parseJson(body);
  if (set === undefined || !isObject(payload)) return body;
  for (const [path, value] of Object.entries(set)) setAtPath(payload, path, value);
  return formatPayload(payload, bytes);
}

/** A string is sent as it is. */
const toText = (changed: unknown): string =>
  typeof changed === "string" ? changed : JSON.stringify(changed);

/** Returns a forgery that a receiver must refuse: it differs from the genuine request in one thing. */
function forge({ headers, body }: AttemptRequest, how: Tampering): AttemptRequest {
  const { [signatureHeader]: signature = "", ...unsigned } = headers;
  switch (how) {
    case "signature":
      return { headers: { ...headers, [signatureHeader]: changeLastDigit(signature) }, body };
    case "body":
      return { headers, body: changeLastDigit(body) };
    case "unsigned":
      return { headers: unsigned, body };
  }
}

/** Changes the last decimal digit: JSON stays JSON, and hex stays hex. A text without digits becomes all zeros. */
const changeLastDigit = (text: string): string =>
  /\d/.test(text)
    ? text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
    : "0".repeat(text.length);
