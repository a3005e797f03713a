/** `operation()` of the control API, whose handlers get the account and the running sandbox. */
import type { TObject } from "typebox";
import { type ControlOperationId, controlRoutes } from "../contract/control-routes.js";
import type { FindValidation } from "../contract/drift-lock.js";
import type { ErrorCode } from "../contract/errors.js";
import {
  type AnyOperation,
  type OperationCall,
  type OperationPlace,
  type OperationSpec,
  type OperationTypes,
  operationFor,
  type ReplyOf,
} from "../contract/operation.js";
import type { ReplySchemas } from "../contract/reply-forms.js";
import type { Stage } from "../scenarios/actions.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { Assumptions } from "../service/assumptions.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";
import type { Figures } from "../world/activity/coverage.js";
import type { RelayHub } from "../world/webhooks/relay.js";
import type { World } from "../world/world.js";

/** The parts of the sandbox that the control API uses. */
export interface ControlledSandbox {
  readonly version: string;
  readonly world: World;
  readonly assumptions: Assumptions;
  /** The service's operations. */
  readonly operations: readonly AnyOperation[];
  /** Names of the accounts of well-known keys, by account id. */
  readonly labels: ReadonlyMap<string, string>;
  /** Folder with scenarios of the tester's own, or null. */
  readonly scenarioFolder: string | null;
  /** Reads when the assumptions were checked against the service. */
  readValidations(): Promise<FindValidation>;
  /** Connections to the listeners of relays. */
  readonly relays: RelayHub;
  /** Counts since the start. */
  readonly figures: Figures;
  /** Returns why the sandbox cannot serve at the moment, or null if it can. */
  unready(): string | null;
  /** Returns an OpenAPI document. */
  contract(of: "service" | "control", baseUrl: string): Promise<object>;
  issueSessionToken(account: Account): Promise<{ token: string; expires_at: string }>;
  openKey(key: string): Promise<Account>;
  /** Runs a scenario on a new account, and reports the account, each step as it ends, and the result. */
  runScenario(scenario: Scenario, baseUrl: string, report: (line: object) => void): Promise<void>;
  /** Runs the actions of scenarios. */
  readonly stage: Stage;
  /** Runs a service operation on the account, as a request would. */
  call<T extends AnyOperation & { types?: OperationTypes }>(
    account: Account,
    operation: T,
    call: OperationCall,
  ): Promise<ReplyOf<T>>;
}

export interface ControlContext {
  account: Account;
  /** Activity of the request, recorded as the cause of its changes. Null if the request only reads. */
  activity: Activity | null;
  sandbox: ControlledSandbox;
  /** URL under which the client reached the sandbox, without a trailing slash. */
  baseUrl: string;
}

const declare = operationFor<ControlContext>();

/**
 * Declares an operation of the control API. Its route is in the table of routes, and it requires the credentials of the
 * control API.
 */
export const operation = <
  const Id extends ControlOperationId,
  const R extends ReplySchemas,
  P extends TObject = never,
  Q extends TObject = never,
  B extends TObject = never,
  E extends ErrorCode = never,
>(
  spec: OperationSpec<ControlContext, never, Id, P, Q, B, never, R, E, never, undefined> &
    Partial<Pick<OperationPlace, "auth">>,
) => declare({ auth: "control", route: controlRoutes[spec.id], ...spec });
