/** Checks replies against the contract of their operation (option `validateReplies`); a deviation is a 500. */

import type { TSchema } from "typebox";
import type { GeneralAssumptions } from "../contract/assumptions/general.js";
import type { ErrorCode } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { Binary, isBinary, Stream } from "../contract/reply-forms.js";
import { schemaInForce } from "../contract/schemas.js";
import { compileValidator, detailsOf, validatorOf } from "../contract/validate.js";

export class ContractViolation extends Error {}

/** The schema of each reply under the assumptions of each sandbox. */
const inForceOf = new WeakMap<GeneralAssumptions, Map<TSchema, TSchema>>();

function schemaUnder(inForce: GeneralAssumptions, schema: TSchema): TSchema {
  const schemas = inForceOf.get(inForce) ?? new Map<TSchema, TSchema>();
  inForceOf.set(inForce, schemas);
  const known = schemas.get(schema) ?? schemaInForce(schema, inForce);
  schemas.set(schema, known);
  return known;
}

export async function checkReply(
  operation: AnyOperation,
  status: number,
  body: unknown,
  inForce: GeneralAssumptions,
): Promise<void> {
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
  const needed = schemaUnder(inForce, schema);
  const validate = validatorOf(needed) ?? (await compileValidator(needed));
  if (validate(JSON.parse(JSON.stringify(body)))) return;
  const why = detailsOf(validate).map((detail) => detail.message);
  throw new ContractViolation(
    `${operation.id} answered with ${status} and a body that violates its contract: ${why.join(" ")}`,
  );
}

export function checkDeclaredRefusal(operation: AnyOperation, code: ErrorCode): void {
  if (!errorCodesOf(operation).includes(code)) {
    throw new ContractViolation(`${operation.id} refused with ${code}, which it does not declare`);
  }
}
