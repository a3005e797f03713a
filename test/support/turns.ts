/** Measures how long work is divided into turns of the event loop, by counting work instead of time. */
import { afterTick } from "../../src/time/time.js";

/** Returns the number of event-loop turns that pass until `work` is done. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) afterTick(count);
  };
  afterTick(count);
  await work();
  isOver = true;
  return turns;
}

/** Returns the number of JSON characters that are parsed or written while `work` runs. */
export const jsonDuring = async (work: () => Promise<unknown>): Promise<number> =>
  (await countJson(work)).total;

/** Returns the largest number of JSON characters parsed or written in one turn while `work` runs. */
export const maxJsonPerTurn = async (work: () => Promise<unknown>): Promise<number> =>
  (await countJson(work)).longest;

async function countJson(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  const { parse, stringify } = JSON;
  let [longest, characters, total] = [0, 0, 0];
  JSON.parse = (text, ...rest) => {
    characters += String(text).length;
    return parse(text, ...rest);
  };
  JSON.stringify = ((...input: Parameters<typeof stringify>) => {
    const text = stringify(...input);
    characters += text?.length ?? 0;
    return text;
  }) as typeof stringify;
  const count = () => {
    longest = Math.max(longest, characters);
    total += characters;
    characters = 0;
    if (JSON.parse !== parse) afterTick(count);
  };
  afterTick(count);
  try {
    await work();
  } finally {
    Object.assign(JSON, { parse, stringify });
  }
  return { longest: Math.max(longest, characters), total: total + characters };
}

/** Returns the largest increase of `count` within one turn of the event loop while `work` ran. */
export async function maxPerTurn(count: () => number, work: () => unknown): Promise<number> {
  let isOver = false;
  let last = count();
  let largestIncrease = 0;
  const look = () => {
    largestIncrease = Math.max(largestIncrease, count() - last);
    last = count();
    if (!isOver) afterTick(look);
  };
  afterTick(look);
  await work();
  isOver = true;
  await new Promise<void>(afterTick);
  return largestIncrease;
}
