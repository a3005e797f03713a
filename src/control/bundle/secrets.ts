/** The tables of an account with their records, and the secrets in them, which nothing that leaves the machine may quote. */
import { collectSecrets } from "../../contract/secrets.js";
import type { CallResult } from "../../world/activity/activity.js";
import type { TextTable } from "../../world/snapshot/snapshot.js";

/** Lists the records of tables, which can be iterated once, one at a time. */
export function* listTables(tables: Iterable<TextTable>): Generator<string, TextTables> {
  const listed: [string, Texts][] = [];
  for (const [name, records] of tables) {
    const texts: (readonly [string, string])[] = [];
    for (const record of records) {
      texts.push(record);
      yield "";
    }
    listed.push([name, texts]);
  }
  return listed;
}

export type Texts = readonly (readonly [key: string, text: string])[];
export type TextTables = readonly (readonly [name: string, records: Texts])[];

/** Collects the secrets of the state and of the calls, one record at a time. */
export function* secretsOf(
  tables: TextTables,
  calls: readonly CallResult[],
): Generator<string, ReadonlySet<string>> {
  const secrets = new Set<string>();
  for (const [, records] of tables)
    for (const [key, text] of records) {
      collectSecrets(JSON.parse(text), secrets, key);
      yield "";
    }
  for (const { body, reply } of calls) {
    collectSecrets([body, reply], secrets);
    yield "";
  }
  return secrets;
}
