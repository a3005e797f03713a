/** Moves that can be made by hand, grouped by machine. Machines without such moves are omitted. */
import type { AnyMachine, ByHandOf } from "../world/records/machine.js";
import { machines } from "./machines.js";

const movesIn = <const M extends readonly AnyMachine[]>(listed: M) =>
  Object.fromEntries(
    listed
      .map(({ name, byHand }) => [name, [...new Set([...byHand.values()].flat())]] as const)
      .filter(([, moves]) => moves.length > 0),
  ) as { [K in M[number] as [ByHandOf<K>] extends [never] ? never : K["name"]]: ByHandOf<K>[] };

export const movesByHand = movesIn(machines);
