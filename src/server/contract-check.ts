/** Checks replies against the contract of their operation (option `validateReplies`); a deviation is a 500. */

import type { ErrorCode } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { Binary, isBinary, Stream } from "../contract/reply-forms.js";
import { compileValidator, detailsOf, validatorOf } from "../contract/validate.js";

export class ContractViolation extends Error {}

export async function checkReply(operation: AnyOperation, status: number, body: unknown): Promise<void> {
  const schema = operation.reply[status];
  if (!schema)
    throw new ContractViolation(
      `${operation.id} answered with ${status}, which its contract does not declare`,
    );
  if (isBinary(schema)) {
    if (!(body instanceof Binary || body instanceof Stream))
      throw new ContractViolation(`${operation.id} answered with JSON instead of a file`);
    return;
  }
  const validate = validatorOf(schema) ?? (await compileValidator(schema));
  if (validate(JSON.parse(JSON.stringify(body)))) return;
  const why = detailsOf(validate).map((detail) => detail.message);
  throw new ContractViolation(
    `${operation.id} answered with ${status} and a body that violates its contract: ${why.join(" ")}`,
  );
}

export function checkRefusal(operation: AnyOperation, code: ErrorCode): void {
  if (!errorCodesOf(operation).includes(code)) {
    throw new ContractViolation(`${operation.id} refused with ${code}, which it does not declare`);
  }
}
