/** Holds our own replies against their operation's contract; one that is off it fails loudly. */

import type { ErrorCode } from "../contract/errors.js";
import { type AnyOperation, Binary, isBinary } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { compileValidator, detailsOf, validatorOf } from "../contract/validate.js";

export class OffContract extends Error {}

export async function checkReply(operation: AnyOperation, status: number, body: unknown): Promise<void> {
  const schema = operation.reply[status];
  if (!schema) throw new OffContract(`${operation.id} answered ${status}, which its contract does not have`);
  if (isBinary(schema)) {
    if (!(body instanceof Binary)) throw new OffContract(`${operation.id} answered JSON in place of a file`);
    return;
  }
  const validate = validatorOf(schema, "json") ?? (await compileValidator(schema, "json"));
  if (validate(JSON.parse(JSON.stringify(body)))) return;
  const why = detailsOf(validate).map((detail) => detail.message);
  throw new OffContract(`${operation.id} answered ${status} off its contract: ${why.join(" ")}`);
}

export function checkRefusal(operation: AnyOperation, code: ErrorCode): void {
  if (!errorCodesOf(operation).includes(code)) {
    throw new OffContract(`${operation.id} refused with ${code}, which it does not declare`);
  }
}
