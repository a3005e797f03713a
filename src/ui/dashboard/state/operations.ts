/** The operations of the service in words: what each does, its outcomes and its test values. */
import type { CallReply } from "../../../client/client.js";
import { call } from "../api/control.js";
import { useResource } from "./resource.js";

export type ServiceOperation = CallReply<"listOutcomes">["items"][number];

const none: readonly ServiceOperation[] = [];

/** Returns the operations of the service. None until they are read. */
export const useOperations = (): readonly ServiceOperation[] =>
  useResource(() => call("listOutcomes")).data.value?.items ?? none;

/** Returns a function that describes an outcome of an operation. For `*`, it may be one of any operation. */
export function useOutcomes(): (operation: string, outcome: string) => string {
  const operations = useOperations();
  return (id, outcome) => {
    const { outcomes } = operations.find(({ operation }) => operation === id) ?? operations[0] ?? {};
    const found = outcomes?.find(({ name }) => name === outcome);
    return found ? found.description.replaceAll("`", "") : outcome;
  };
}

/** Returns a function that says what an operation does. Other texts, such as the kind of an event, stay as they are. */
export function useSummaries(): (id: string) => string {
  const operations = useOperations();
  return (id) => operations.find(({ operation }) => operation === id)?.summary ?? id;
}
