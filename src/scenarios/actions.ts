/** What a scenario can do to an account by itself: operations, by their ids, run as a request or the control API would. */
import type { TSchema } from "typebox";
import type { AnyOperation, OperationCallOptions, OperationInput } from "../contract/operation.js";
import type { Account } from "../world/account.js";

export type ActionInput = OperationInput & Pick<OperationCallOptions, "outcome" | "setsUp">;

/** Where scenarios play: a running sandbox. */
export interface Stage {
  /** The service's and the control API's. */
  readonly operations: readonly AnyOperation[];
  perform(account: Account, operation: AnyOperation, input: ActionInput): Promise<unknown>;
}

/** Of the control API, what makes something happen on the account; all else steers the sandbox or only looks. */
const steering = [
  "updateAccount",
  "registerPerson",
  "moveRecord",
  "replyAsPerson",
  "visitAddress",
  "publishDomainProof",
  "payCheckout",
  "triggerEvent",
  "retryDelivery",
  "startPhoneFromDashboard",
];

const makesSomethingHappen = ({ id, auth, route, upload }: AnyOperation): boolean =>
  auth === "control" ? steering.includes(id) : !route.startsWith("GET ") && !upload;

export const actionsOf = (operations: readonly AnyOperation[]): AnyOperation[] =>
  operations.filter(makesSomethingHappen);

/** Scenario files write `simulate_payment`. */
export const toSnake = (id: string): string => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const byName = new WeakMap<readonly AnyOperation[], ReadonlyMap<string, AnyOperation>>();

/** By either spelling of its id. */
export function findAction(operations: readonly AnyOperation[], name: string): AnyOperation | undefined {
  let known = byName.get(operations);
  if (!known) {
    const names = actionsOf(operations).flatMap((one) => [
      [one.id, one] as const,
      [toSnake(one.id), one] as const,
    ]);
    known = new Map(names);
    byName.set(operations, known);
  }
  return known.get(name);
}

/** The schemas of what stands side by side in a file: what goes in the path, and the body's fields. */
export const fieldsOf = ({ params, body }: AnyOperation): Readonly<Record<string, TSchema>> => ({
  ...params?.properties,
  ...body?.properties,
});

/** Those that must be there. */
export const neededBy = ({ params, body }: AnyOperation): readonly string[] =>
  [params, body].flatMap((schema) => (schema as { required?: string[] } | undefined)?.required ?? []);

/** A move's input is whatever the move takes. */
export const takesAnything = ({ body }: AnyOperation): boolean =>
  body !== undefined && Object.keys(body.properties).length === 0;

/** Fields as a file has them, side by side, put where the operation takes them. */
export function toInput({ params }: AnyOperation, fields: Readonly<Record<string, unknown>>): ActionInput {
  const { outcome, ...others } = fields;
  const inPath = Object.keys(params?.properties ?? {});
  const entries = Object.entries(others);
  const ofPath = entries
    .filter(([name]) => inPath.includes(name))
    .map(([name, value]) => [name, String(value)]);
  return {
    params: Object.fromEntries(ofPath),
    body: Object.fromEntries(entries.filter(([name]) => !inPath.includes(name))),
    ...(typeof outcome === "string" ? { outcome } : {}),
  };
}
