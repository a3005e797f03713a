/** Actions of scenarios: operations that are run by their ids, as a request to the service or the control API would run them. */
import type { TSchema } from "typebox";
import {
  type AnyOperation,
  type OperationCallOptions,
  type OperationInput,
  shortSummary,
  toSnake,
} from "../contract/operation.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";

export type ActionInput = OperationInput & Pick<OperationCallOptions, "outcome" | "setsUp">;

/** The running sandbox on which scenarios are loaded. */
export interface Stage {
  /** All operations, of the service and of the control API. */
  readonly operations: readonly AnyOperation[];
  perform(account: Account, operation: AnyOperation, input: ActionInput): Promise<unknown>;
}

/** Returns the stage for calls that an activity causes. */
export const causedBy = ({ operations, perform }: Stage, activity: Activity | null): Stage => ({
  operations,
  perform: (account, operation, input) =>
    account.activities.within(activity, () => perform(account, operation, input)),
});

/** The control operations that change the account. The others only read, or configure the sandbox. */
const controlActions = [
  "updateAccount",
  "registerPerson",
  "moveRecord",
  "replyAsPerson",
  "visitAddress",
  "publishDomainProof",
  "payCheckout",
  "triggerEvent",
  "retryDelivery",
  "releaseHeld",
  "dropHeld",
  "startPhoneFromDashboard",
];

const isAction = ({ id, auth, route, upload }: AnyOperation): boolean =>
  auth === "control" ? controlActions.includes(id) : !route.startsWith("GET ") && !upload;

export const actionsOf = (operations: readonly AnyOperation[]): AnyOperation[] => operations.filter(isAction);

const byName = new WeakMap<readonly AnyOperation[], ReadonlyMap<string, AnyOperation>>();

/** Finds an action by either spelling of its id. */
export function findAction(operations: readonly AnyOperation[], name: string): AnyOperation | undefined {
  let known = byName.get(operations);
  if (!known) {
    const names = actionsOf(operations).flatMap((operation) => [
      [operation.id, operation] as const,
      [toSnake(operation.id), operation] as const,
    ]);
    known = new Map(names);
    byName.set(operations, known);
  }
  return known.get(name);
}

/** Describes what an action does, as the summary of its operation. */
export const describeAction = (operations: readonly AnyOperation[], name: string): string =>
  shortSummary(findAction(operations, name)?.summary ?? name);

/** Returns the schemas of an action's fields: path parameters and fields of the body. */
export const fieldsOf = ({ params, body }: AnyOperation): Readonly<Record<string, TSchema>> => ({
  ...params?.properties,
  ...body?.properties,
});

/** Returns the names of the required fields. */
export const requiredFieldsOf = ({ params, body }: AnyOperation): readonly string[] =>
  [params, body].flatMap((schema) => (schema as { required?: string[] } | undefined)?.required ?? []);

/** Returns whether an action takes any fields, as moves do. */
export const takesAnyField = ({ body }: AnyOperation): boolean =>
  body !== undefined && Object.keys(body.properties).length === 0;

/** Splits the fields of an action into path parameters, body and outcome. */
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
