/** The log of one account's commits in PostgreSQL: its lines are kept as long as the account has the epoch of the log. */
import { Log, type LogWriter } from "../log.js";
import type { State } from "../state.js";
import type { Ownership } from "./ownership.js";

/** The part of an account's rows that a replica has read. */
export interface StoredRows {
  /** Sequence of the last line of the journal that belongs to a whole commit. */
  sequence: number;
  /** Number of characters in the journal and in the document. */
  length: { journal: number; document: number };
  /** Whether lines follow that belong to no whole commit. */
  isCutOff: boolean;
}

export class PostgresLog extends Log {
  /** Number of characters in the journal and in the document, as far as this replica has seen them. */
  readonly length: StoredRows["length"];
  /** Whether everything that is stored is deleted when the account is released. */
  isRemoved = false;

  constructor(
    writer: LogWriter,
    readonly ownership: Ownership,
    { sequence, length }: StoredRows,
    state: State,
    lost: (error: Error) => void,
  ) {
    super(writer, ownership.id, state, lost);
    this.sequence = sequence;
    this.length = length;
  }

  get epoch(): string {
    return this.ownership.epoch;
  }

  override take(maxLength: number, maxLines: number): string[] {
    const lines = super.take(maxLength, maxLines);
    for (const { length } of lines) this.length.journal += length;
    return lines;
  }
}
