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
