/** The operations that scenarios may call. The control API's are loaded with their first use. */
import type { AnyOperation } from "../contract/operation.js";

export class StageOperations {
  /** One list for all: actions are looked up in an index that is kept for each list. */
  list: readonly AnyOperation[];
  #loading: Promise<readonly AnyOperation[]> | null = null;

  constructor(ofService: readonly AnyOperation[]) {
    this.list = ofService;
  }

  /** Loads the operations of the control API, and resolves with them. */
  readonly load = (): Promise<readonly AnyOperation[]> => {
    this.#loading ??= import("./index.js").then(({ controlOperations }) => {
      this.list = [...this.list, ...controlOperations];
      return controlOperations;
    });
    return this.#loading;
  };
}
