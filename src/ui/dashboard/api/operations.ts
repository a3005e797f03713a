/** The operations and events of the service and of the control API: their contract, and their descriptions. */
import type { CallReply } from "../../../client/client.js";
import type { JsonSchema } from "../../../contract/schema-walk.js";
import { useResource } from "../state/resource.js";
import { call } from "./control.js";

export type Contract = CallReply<"listOperations">;
export type ApiOperation = Contract["items"][number];
export type ApiEvent = Contract["events"][number];
export type Parameter = ApiOperation["parameters"][number];
export type ApiName = ApiOperation["api"];

/** JSON Schema with additional keywords of the contract. */
export interface Schema extends JsonSchema {
  additionalProperties?: boolean | Schema;
  default?: unknown;
  minProperties?: number;
}

const reading = new Map<ApiName, Promise<Contract>>();

/** Reads a contract. Later calls return the same contract. */
export function readContract(api: ApiName): Promise<Contract> {
  const contract = reading.get(api) ?? call("listOperations", { query: { api } });
  reading.set(api, contract);
  contract.catch(() => reading.delete(api));
  return contract;
}

export type ServiceOperation = CallReply<"listOutcomes">["items"][number];

const none: readonly ServiceOperation[] = [];

/** Returns the operations of the service. None until they are read. */
export const useOperations = (): readonly ServiceOperation[] =>
  useResource(() => call("listOutcomes")).data.value?.items ?? none;

/** Returns a function that describes an outcome of an operation. For `*`, it describes common outcomes. */
export function useOutcomes(): (operation: string, outcome: string) => string {
  const operations = useOperations();
  return (id, outcome) => {
    const { outcomes } = operations.find(({ operation }) => operation === id) ?? operations[0] ?? {};
    const found = outcomes?.find(({ name }) => name === outcome);
    return found ? found.description.replaceAll("`", "") : outcome;
  };
}

/** Returns a function that describes what an operation does. Other texts, such as the kind of an event, are returned unchanged. */
export function useSummaries(): (id: string) => string {
  const operations = useOperations();
  return (id) => operations.find(({ operation }) => operation === id)?.summary ?? id;
}
