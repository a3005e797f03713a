/** Divides long work into turns of the event loop, so that the requests of other accounts are served in between. */
import { afterTick, stopwatch } from "./time.js";

/** Maximum number of steps in a turn. */
export const maxStepsPerTurn = 100;
/** Duration in ms after which a turn ends, however few steps it had. */
const maxTurnMs = 10;

export class Turns {
  #steps = 0;
  #elapsed = stopwatch();

  /** Called after each step, or after `count` of them. Returns a promise to wait for when the turn is over, else null. */
  step(count = 1): Promise<void> | null {
    this.#steps += count;
    if (this.#steps < maxStepsPerTurn && this.#elapsed() < maxTurnMs) return null;
    return new Promise((resolve) => {
      afterTick(() => {
        this.#steps = 0;
        this.#elapsed = stopwatch();
        resolve();
      });
    });
  }
}

/**
 * Runs a generator to its end, whose yields are the steps. Returns its result, or a promise where that takes more than
 * one turn.
 */
export function inTurns<T>(work: Generator<unknown, T>): T | Promise<T> {
  const turns = new Turns();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const over = turns.step();
    if (over) return finishInTurns(work, turns, over);
  }
}

async function finishInTurns<T>(
  work: Generator<unknown, T>,
  turns: Turns,
  firstTurn: Promise<void>,
): Promise<T> {
  await firstTurn;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const over = turns.step();
    if (over) await over;
  }
}

/** Collects items, in turns where they are many. */
export const collect = <T>(items: Iterable<T>): T[] | Promise<T[]> =>
  inTurns(
    (function* () {
      const collected: T[] = [];
      for (const item of items) yield collected.push(item);
      return collected;
    })(),
  );
