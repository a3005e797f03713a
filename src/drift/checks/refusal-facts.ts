/** Reads the facts that a refusal shows. */
import { isObject } from "../../contract/json.js";
import { fieldName } from "../compare/deviations.js";
import { errorCodeOf, type ReceivedReply } from "../service-client.js";
import type { Facts } from "./check.js";

/** The facts of an error that hold for every refusal, and their names in findings. */
export const commonFacts = { media_type: "content type", fields: "envelope", type: "type", param: "param" };

/** Returns the status of a reply and, for a refusal, its code. */
export const answerOf = ({ status, body }: Pick<ReceivedReply, "status" | "body">): string =>
  status < 400 ? `${status}` : `${status} ${errorCodeOf(body) ?? "without a code"}`;

/** Returns what a refusal shows. An accepted request shows its status alone. */
export function refusalFacts(reply: ReceivedReply): Facts {
  const { status, mediaType, body, headers } = reply;
  if (status < 400) return { media_type: null, fields: null, answer: answerOf(reply) };
  const { error = body } = (isObject(body) ? body : {}) as { error?: unknown };
  const own = isObject(error) ? error : {};
  const text = (value: unknown) => (typeof value === "string" ? fieldName(value) : "none");
  return {
    media_type: mediaType || "none",
    fields: fieldsOf(body),
    answer: answerOf(reply),
    type: text(own.type),
    param: typeof own.param === "string" ? own.param.slice(0, 60).replaceAll(/\d{5,}/g, "N") : "none",
    retry_after: status === 429 ? headers.has("retry-after") : null,
  };
}

function fieldsOf(body: unknown): string {
  if (!isObject(body)) return "no object";
  const fields = Object.entries(body).map(([name, value]) =>
    isObject(value)
      ? `${fieldName(name)} {${Object.keys(value).map(fieldName).sort().join(", ")}}`
      : fieldName(name),
  );
  return fields.sort().join(", ");
}
