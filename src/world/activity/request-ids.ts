/** Request ids: the same in every fresh sandbox with the same seed, and never reused after a restart. */
import { Random } from "../../time/random.js";

export class RequestIds {
  readonly #prefix: string;

  /** `runId` is empty in the first run on a data folder. Requests that reach no account have no `accountId`. */
  constructor(seed: string, runId: string, accountId?: string) {
    const parts = [seed, ...(accountId === undefined ? [] : [accountId]), "requests"];
    if (runId !== "") parts.push(runId);
    this.#prefix = `req_${Random.seeded(...parts).letters(8)}`;
  }

  /** Returns the id of a request by its number, from 1. */
  idOf(number: number): string {
    return this.#prefix + number.toString(36).padStart(6, "0");
  }
}
