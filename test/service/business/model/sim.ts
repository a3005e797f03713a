/** One run: the business, its model, and what was seen so far. Every command ends with all checks. */
import { isDeepStrictEqual } from "node:util";
import { learnIds, mustAgree } from "./agreement.js";
import { type Book, newBook } from "./book.js";
import { type Business, checkoutsOf, type Reply, type SeenEvent } from "./business.js";
import { follow, freshWatch, type Watch } from "./invariants.js";

/** Start of every run. The clock is frozen between advances. */
export const beginning = Date.parse("2030-06-01T12:00:00.000Z");

/** Description of a command, and the models that are possible after it. */
export interface Done {
  came: string;
  books: readonly Book[];
  /** Whether the receive limit may be exceeded because a payment was released by hand. */
  released?: boolean;
}

export class Sim {
  book: Book;
  watch: Watch = freshWatch();
  /** Events seen before a snapshot was restored, which may have undone them. */
  readonly undone: SeenEvent[] = [];
  saved: { snapshot: unknown; book: Book } | null = null;
  readonly #trace: string[] = [];

  constructor(business: Business) {
    this.book = newBook(beginning, checkoutsOf(business.accountId));
  }

  /** Runs one command and all checks. A failure lists all earlier commands. */
  async make(said: string, business: Business, run: () => Promise<Done>): Promise<void> {
    this.#trace.push(said);
    try {
      const done = await run();
      this.#trace[this.#trace.length - 1] = `${said} → ${done.came}`;
      await this.#check(business, done);
    } catch (error) {
      const steps = this.#trace.map((line, index) => `  ${index + 1}. ${line}`).join("\n");
      throw new Error(`${(error as Error).message}\n\nafter\n${steps}\n`, { cause: error });
    }
  }

  async #check(business: Business, { books, released = false }: Done): Promise<void> {
    const { watch } = this;
    const seen = await business.see({ entries: watch.entries, events: watch.events.length });
    const comparison = { seenBefore: watch.events.length };
    for (const book of books) learnIds(book, seen);
    const others = books.slice(1).filter((book) => agrees(() => mustAgree(book, seen, comparison)));
    this.book = others[0] ?? (books[0] as Book);
    mustAgree(this.book, seen, comparison);
    follow(watch, this.book, seen, released);
  }
}

function agrees(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

const show = ({ code, body }: Reply): string => code ?? JSON.stringify(body);

export const isAsPredicted = (reply: Reply, predicted: Reply): boolean =>
  reply.code === null ? isDeepStrictEqual(reply, predicted) : reply.code === predicted.code;

export function mustBeAsPredicted(reply: Reply, predicted: Reply): void {
  if (isAsPredicted(reply, predicted)) return;
  throw new Error(`the reply is ${show(reply)}\nthe model says ${show(predicted)}`);
}

export const sayReply = ({ code, body }: Reply): string =>
  code ?? String(body.status ?? body.result ?? body.state ?? "done");
