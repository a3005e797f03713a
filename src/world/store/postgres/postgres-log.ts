/** The log of one account's commits in PostgreSQL: its lines are kept as long as the account has the epoch of the log. */
import { Log, type LogWriter } from "../log.js";
import { type Change, type State, wholeState } from "../state.js";
import type { Ownership } from "./ownership.js";

/** How much a replica has read of an account. */
export interface StoredRows {
  /** Sequence of the last line of the journal that belongs to a whole commit. */
  sequence: number;
  /** Number of characters in the journal and in the document. */
  length: { journal: number; document: number };
}

export class PostgresLog extends Log {
  /** Sequence of the last line that the document contains. */
  folded: number;
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
    this.folded = ownership.folded;
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

  /** Returns the state as of now, as changes, and the sequence of its last line once that is committed. */
  checkpoint(): { changes: Iterable<Change>; sequence: Promise<number> } {
    const changes = wholeState(this.state);
    let last = 0;
    this.whenTaken(() => {
      last = this.sequence;
    });
    const sequence = new Promise<number>((resolve, reject) => {
      this.whenCommitted((error) => (error ? reject(error) : resolve(last)));
    });
    return { changes, sequence };
  }
}
