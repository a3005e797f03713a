/** The operations and events of the service and of the control API, for the reference and the form that tries a request. */
import type { CallReply } from "../../../client/client.js";
import type { JsonSchema } from "../../../contract/schema-walk.js";
import { call } from "./control.js";

export type Contract = CallReply<"listOperations">;
export type ApiOperation = Contract["items"][number];
export type ApiEvent = Contract["events"][number];
export type Parameter = ApiOperation["parameters"][number];
export type ApiName = ApiOperation["api"];

/** JSON Schema with the keywords that the contract of other tools has besides. */
export interface Schema extends JsonSchema {
  additionalProperties?: boolean | Schema;
  default?: unknown;
  minProperties?: number;
}

const reading = new Map<ApiName, Promise<Contract>>();

/** Reads a contract, once. */
export function readContract(api: ApiName): Promise<Contract> {
  const contract = reading.get(api) ?? call("listOperations", { query: { api } });
  reading.set(api, contract);
  contract.catch(() => reading.delete(api));
  return contract;
}
