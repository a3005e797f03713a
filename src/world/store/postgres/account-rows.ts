/** Reads an account from its document and journal, and folds the journal into the document. */
import { Turns } from "../../../time/turns.js";
import {
  applyEntry,
  commitLines,
  isContinued,
  readerInto,
  type TableReader,
  type TableTexts,
} from "../journal.js";
import type { Change } from "../state.js";
import { StoreError } from "../store.js";
import type { Database } from "./database.js";
import { inTransaction } from "./migrations.js";
import type { Ownership } from "./ownership.js";
import type { PostgresLog, StoredRows } from "./postgres-log.js";

/** Number of rows read or written at a time. A row has about 64 KB at most. */
const rowsAtOnce = 200;
/** Journals shorter than this (in characters) are never folded. */
const minFoldLength = 4 * 1024 * 1024;

/** Hands the document and the whole commits of the journal, up to a sequence, to the reader. */
export async function readRows(
  database: Database,
  { id, document, folded }: Ownership,
  reader: TableReader,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<StoredRows> {
  const turns = new Turns();
  const length = { journal: 0, document: 0 };
  for await (const { line } of pagesOf(database, documentPage, [id, document], 0)) {
    length.document += line.length;
    apply(id, line, reader);
    await turns.step();
  }
  let sequence = folded;
  // A long commit counts only if its last line exists.
  let begun: string[] = [];
  for await (const { position, line } of pagesOf(database, journalPage, [id, upTo], folded)) {
    begun.push(line);
    length.journal += line.length;
    await turns.step();
    if (isContinued(line)) continue;
    for (const part of begun) apply(id, part, reader);
    begun = [];
    sequence = Number(position);
  }
  return { sequence, length, isCutOff: begun.length > 0 };
}

/** Deletes the lines after the last whole commit, unless another replica has acquired the account in the meantime. */
export async function cutOff({ pool }: Database, { id, epoch }: Ownership, sequence: number): Promise<void> {
  await pool.query(cuttingOff, [id, epoch, sequence]);
}

const cuttingOff = `WITH held AS (SELECT id FROM standin_account WHERE id = $1 AND epoch = $2 FOR NO KEY UPDATE)
  DELETE FROM standin_journal j USING held WHERE j.account = held.id AND j.sequence > $3`;
const documentPage = `SELECT part AS position, line FROM standin_document
  WHERE account = $2 AND version = $3 AND part > $1 ORDER BY part LIMIT ${rowsAtOnce}`;
const journalPage = `SELECT sequence AS position, line FROM standin_journal
  WHERE account = $2 AND sequence > $1 AND sequence <= $3 ORDER BY sequence LIMIT ${rowsAtOnce}`;

interface Row {
  position: string | number;
  line: string;
}

async function* pagesOf(
  { pool }: Database,
  text: string,
  values: readonly unknown[],
  first: number,
): AsyncGenerator<Row> {
  let last: string | number = first;
  for (;;) {
    const { rows }: { rows: Row[] } = await pool.query<Row>(text, [last, ...values]);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = end.position;
  }
}

function apply(id: string, line: string, reader: TableReader): void {
  try {
    if (applyEntry(JSON.parse(line), reader) !== null) return;
  } catch {
    // Reported below.
  }
  const message = `a line of ${id} in PostgreSQL is damaged; restore the database from a backup`;
  throw new StoreError(message, message);
}

/** Folds the journal of an account into its document if it has become long: both are read as they are stored. */
export async function foldIfLong(database: Database, log: PostgresLog): Promise<void> {
  const { ownership, length } = log;
  const { id, epoch } = ownership;
  if (log.isLost || log.isClosed || length.journal < Math.max(minFoldLength, length.document)) return;
  const tables: TableTexts = new Map();
  const read = await readRows(database, ownership, readerInto(tables), log.sequence);
  if (read.sequence === ownership.folded) return;
  // Each fold writes its own version, because another replica may be folding the same lines.
  const { rows } = await database.pool.query("SELECT nextval('standin_document_version') AS version");
  const version: string = rows[0].version;
  const total = await writeDocument(database, id, version, tables);
  const isKept = await inTransaction(database.pool, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE standin_account SET document = $3, folded = $4 WHERE id = $1 AND epoch = $2",
      [id, epoch, version, read.sequence],
    );
    if (rowCount === 0) return false;
    await client.query("DELETE FROM standin_journal WHERE account = $1 AND sequence <= $2", [
      id,
      read.sequence,
    ]);
    await client.query("DELETE FROM standin_document WHERE account = $1 AND version <> $2", [id, version]);
    return true;
  });
  if (!isKept) return;
  ownership.document = version;
  ownership.folded = read.sequence;
  length.document = total;
  length.journal -= read.length.journal;
}

function* changesOf(tables: TableTexts): Generator<Change> {
  for (const [table, rows] of tables) for (const [id, text] of rows) yield [table, id, text];
}

/** Writes the parts of a new document, which nobody reads yet. Returns its length in characters. */
async function writeDocument(
  { pool }: Database,
  id: string,
  version: string,
  tables: TableTexts,
): Promise<number> {
  let part = 0;
  let total = 0;
  let lines: string[] = [];
  const write = async () => {
    await pool.query(
      `INSERT INTO standin_document (account, version, part, line)
       SELECT $1, $2, $3::integer + ordinality, line FROM unnest(string_to_array($4, E'\\n')) WITH ORDINALITY AS t(line)`,
      [id, version, part, lines.join("\n")],
    );
    part += lines.length;
    lines = [];
  };
  for (const line of commitLines(changesOf(tables))) {
    lines.push(line.slice(0, -1));
    total += line.length;
    if (lines.length === documentRowsAtOnce) await write();
  }
  if (lines.length > 0) await write();
  return total;
}

/** Number of document rows in one statement, each of about 64 KB. */
const documentRowsAtOnce = 16;
