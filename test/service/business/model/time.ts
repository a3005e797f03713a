/** The model's clock: it is frozen, and advancing it runs each due job at its own instant. */
import type { Book, Payment } from "./book.js";
import { settle } from "./payments.js";
import { decide } from "./transfers.js";

export function advance(book: Book, ms: number): void {
  const target = book.now + ms;
  for (;;) {
    const [next] = book.timers.sort((a, b) => a.at - b.at || a.made - b.made);
    if (!next || next.at > target) break;
    book.timers.shift();
    book.now = next.at;
    if (next.what === "payment") settle(book, book.payments[next.which] as Payment);
    else decide(book, next.what, next.which);
  }
  book.now = target;
}
