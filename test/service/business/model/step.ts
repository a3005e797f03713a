/** Commands for fast-check: a description for counterexamples, the request, and the model's expectation. */
import type fc from "fast-check";
import type { Book } from "./book.js";
import { type Business, type Reply, refused } from "./business.js";
import { type Done, isAsPredicted, mustBeAsPredicted, type Sim, sayReply } from "./sim.js";

export type Command = fc.AsyncCommand<Sim, Business>;

type Perform = (sim: Sim, business: Business) => Promise<Done>;

export class Step implements Command {
  constructor(
    readonly said: string,
    readonly perform: Perform,
    readonly possible: (sim: Readonly<Sim>) => boolean = () => true,
  ) {}

  check(sim: Readonly<Sim>): boolean {
    return this.possible(sim);
  }

  run(sim: Sim, business: Business): Promise<void> {
    return sim.make(this.said, business, () => this.perform(sim, business));
  }

  toString(): string {
    return this.said;
  }
}

/** A request derived from the current model, and its effect on the model. Ids are taken from the reply. */
export interface Act {
  send(business: Business): Promise<Reply>;
  predict(book: Book, reply: Reply): Reply;
}
export interface Request {
  said: string;
  act(book: Book): Act;
  /** Whether the command applies; fast-check skips it otherwise. Default: always. */
  possible?(book: Book): boolean;
  /** Whether a move by hand may exceed the receive limit. */
  release?: boolean;
}

export function request({ said, act, possible, release }: Request): Command {
  const perform: Perform = async ({ book }, business) => {
    const { send, predict } = act(book);
    const reply = await send(business);
    mustBeAsPredicted(reply, predict(book, reply));
    return { came: sayReply(reply), books: [book], released: release ?? false };
  };
  return new Step(said, perform, ({ book }) => possible?.(book) ?? true);
}

/** Two concurrent requests must end as if they had been sent one after the other, in either order. */
export function atOnce(one: Request, other: Request): Command {
  const perform: Perform = async ({ book }, business) => {
    const acts = [one.act(book), other.act(book)] as const;
    const replies = await Promise.all([acts[0].send(business), acts[1].send(business)]);
    const came = replies.map(sayReply).join(" | ");
    const books: Book[] = [];
    const predictions: string[] = [];
    for (const order of [[0, 1] as const, [1, 0] as const]) {
      const copy = structuredClone(book);
      const predicted = order.map((i) => acts[i].predict(copy, replies[i]));
      if (order.every((i, at) => isAsPredicted(replies[i], predicted[at] as Reply))) books.push(copy);
      predictions.push(order.map((i, at) => `${i + 1}: ${sayReply(predicted[at] as Reply)}`).join(", then "));
    }
    if (books.length > 0) return { came, books };
    throw new Error(`two requests at once end in ${came}\nthe model says ${predictions.join(", or ")}`);
  };
  return new Step(
    `at once: ${one.said} | ${other.said}`,
    perform,
    ({ book }) => one.possible?.(book) ?? true,
  );
}

export const commonFailures = ["provider_unavailable", "internal_error", "rate_limited"];

/** Result under a common outcome: the operation's own refusals come first, then the outcome's. */
export const failing = ({ predict, ...act }: Act, outcome: string): Act => ({
  ...act,
  predict: (book, reply) => {
    const { code } = predict(structuredClone(book), reply);
    return refused(code ?? outcome);
  },
});
