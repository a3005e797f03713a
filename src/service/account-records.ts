import { refuse } from "../contract/errors.js";
import type { Account } from "../world/account.js";
import type { Machine, Stored } from "../world/machine.js";

export interface Sought {
  id: string;
  /** The request field that it stands in. */
  param: string;
  /** "audit", "virtual account". */
  what: string;
  /** Where ids come from, as the end of a sentence. */
  hint: string;
}

/** The account's record of this id; refuses with 404 where there is none. */
export function neededRecord<F, M extends string>(
  { records }: Account,
  machine: Machine<F, M>,
  { id, param, what, hint }: Sought,
): Stored<F> {
  const record = records.get(machine, id);
  if (record) return record;
  const message = `There is no ${what} ${JSON.stringify(id.slice(0, 60))} on this account; ${hint}.`;
  return refuse("resource_not_found", { param, message });
}
