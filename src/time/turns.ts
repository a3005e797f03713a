/** Divides long work into turns of the event loop, so that the requests of other accounts are served in between. */
import { afterTick, stopwatch } from "./time.js";

/** Maximum number of steps in a turn. */
export const maxStepsPerTurn = 100;
/** Duration in ms after which a turn ends, however few steps it had. */
const maxTurnMs = 5;

export class Turns {
  #steps = 0;
  #elapsed = stopwatch();

  /** Counts a step, or `count` of them. Returns a promise to await if the turn is over, otherwise null. */
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
 * Runs a generator, whose yields are the steps, to its end. Returns its result, or a promise if that takes more than
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
