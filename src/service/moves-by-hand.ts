/** Moves that can be made by hand, grouped by machine. Machines without such moves are omitted. */
import type { AnyMachine } from "../world/account/account.js";
import { machines } from "./machines.js";

type ByHand<M> = M extends { byHand: ReadonlyMap<string, readonly (infer Move)[]> } ? Move : never;

const movesIn = <const M extends readonly AnyMachine[]>(listed: M) =>
  Object.fromEntries(
    listed
      .map(({ name, byHand }) => [name, [...new Set([...byHand.values()].flat())]] as const)
      .filter(([, moves]) => moves.length > 0),
  ) as { [K in M[number] as [ByHand<K>] extends [never] ? never : K["name"]]: ByHand<K>[] };

export const movesByHand = movesIn(machines);
