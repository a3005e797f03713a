/** Makes the state from which a scenario starts. */
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { Answer } from "../contract/operation.js";
import type { Account } from "../world/account.js";
import { IllegalMove } from "../world/machine.js";
import { type ActionInput, findAction, type Stage, toInput, toSnake } from "./actions.js";
import { type Fields, type MadeRecords, type Move, type Section, sections } from "./given-sections.js";
import { resolveReferences, UnresolvedReference } from "./references.js";

const Item = Type.Object({}, { additionalProperties: true });

/** The sections' own fields are checked by the operations that make them. */
export const Given = Type.Object(
  {
    clock: Type.Optional(
      Type.String({ examples: ["2026-03-01T09:00:00Z"], description: "Where the account's clock stands" }),
    ),
    ...Object.fromEntries(
      Object.entries(sections).map(([name, { one, description, operation }]) => {
        const told = { description: `${description}: fields of ${operation}` };
        return [
          name,
          Type.Optional(
            one ? Type.Object({}, { ...told, additionalProperties: true }) : Type.Array(Item, told),
          ),
        ];
      }),
    ),
  },
  { additionalProperties: false },
);
export type Given = Readonly<{ clock?: string } & Record<string, unknown>>;

/** A record of a scenario's given that cannot be made: where, and why. */
export class GivenProblem extends Error {
  constructor(
    readonly at: string,
    readonly reason: unknown,
  ) {
    super(`${at}: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

/** What comes later may need what comes before, so sections are made in their order. */
export async function makeGiven(account: Account, stage: Stage, given: Given): Promise<MadeRecords> {
  const wanted = complete(given);
  const made: Record<string, unknown> = {};
  const making = { account, stage, made, epoch: account.epoch };
  for (const [name, section] of Object.entries(sections)) {
    const fields = wanted[name];
    if (fields === undefined) continue;
    if (section.one) made[name] = await makeOne(making, section, fields as Fields, name);
    else await makeAll(making, section, fields as readonly Fields[], name);
  }
  return made;
}

/** Sections that others need and the scenario does not give are made by what those others say. */
function complete(given: Given): Record<string, unknown> {
  const wanted: Record<string, unknown> = { ...given };
  for (const [name, { needs = {} }] of Object.entries(sections).reverse()) {
    const isAsked = Array.isArray(wanted[name])
      ? (wanted[name] as []).length > 0
      : wanted[name] !== undefined;
    if (isAsked) for (const [needed, by] of Object.entries(needs)) wanted[needed] ??= by;
  }
  return wanted;
}

/** The sections that a scenario's `given` makes, in their order. */
export function sectionsMade(given: Given): string[] {
  const wanted = complete(given);
  return Object.keys(sections).filter((name) => wanted[name] !== undefined);
}

interface Making {
  account: Account;
  stage: Stage;
  made: Record<string, unknown>;
  epoch: number;
}

async function makeAll(
  making: Making,
  section: Section,
  items: readonly Fields[],
  name: string,
): Promise<void> {
  const list: unknown[] = [];
  making.made[name] = list;
  for (const [index, fields] of items.entries())
    list.push(await makeOne(making, section, fields, `${name}.${index}`));
}

async function makeOne(making: Making, section: Section, given: Fields, at: string): Promise<unknown> {
  const { account, made, stage } = making;
  const { words = {}, id = "id" } = section;
  const asked = Object.keys(given).filter((field) => Object.hasOwn(words, field));
  const own = Object.fromEntries(
    Object.entries(given).filter(([field]) => !asked.includes(field) && field !== "moves"),
  );
  const runHere = async (operation: string, fields: Fields) => {
    checkSameWorld(making);
    return runAction(account, stage, operation, fields, { setsUp: true });
  };
  try {
    const reply = (await runHere(
      section.operation,
      resolveReferences({ ...section.defaults?.(made), ...own }, { given: made }) as Fields,
    )) as Fields;
    let record: Fields | null = null;
    for (const move of [...movesOf(asked, given, words), ...((given.moves as Move[]) ?? [])]) {
      const { move: name, with: input = {} } = typeof move === "string" ? { move } : move;
      const filled = resolveReferences(input, { given: made }) as Fields;
      const moved = await runHere("moveRecord", { ...filled, id: reply[id], move: name });
      record = (moved as { record: Fields }).record;
    }
    // As it stands after its moves; what only its first reply has, such as a link, stays.
    return record ? { ...reply, ...record } : reply;
  } catch (error) {
    if (isTold(error)) throw new GivenProblem(`given.${at}`, error);
    throw error;
  }
}

/** What the tester can mend; all else is ours. */
const isTold = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof UnresolvedReference || error instanceof IllegalMove;

/** What a reset or a restore has emptied meanwhile must not get the rest. */
export function checkSameWorld({ account, epoch }: Pick<Making, "account" | "epoch">): void {
  if (account.epoch === epoch) return;
  throw new Refusal("clock_busy", {
    message: "The account was reset or restored while the scenario was put on it; put it there again.",
  });
}

/** `connected: true` stands for moves; `completed: {minutes: 5}` is the input of the last of them. */
function movesOf(asked: readonly string[], given: Fields, words: NonNullable<Section["words"]>): Move[] {
  return asked.flatMap((word) => {
    const moves = words[word] ?? [];
    const input = given[word];
    if (input === false) return [];
    return moves.map((move, index) =>
      typeof input === "object" && input !== null && index === moves.length - 1
        ? { move, with: input as Fields }
        : move,
    );
  });
}

/** What a field of an action is where nobody says it; `do` names the action by either spelling of its id. */
export function defaultsOf(action: string, made: MadeRecords): Fields {
  const section = Object.values(sections).find(
    ({ operation }) => operation === action || toSnake(operation) === action,
  );
  return section?.defaults?.(made) ?? {};
}

/** By an operation's id. */
export async function runAction(
  account: Account,
  stage: Stage,
  id: string,
  fields: Fields,
  how: Pick<ActionInput, "setsUp"> = {},
): Promise<unknown> {
  const action = findAction(stage.operations, id);
  if (!action) throw new Error(`there is no action ${id}`);
  const result = await stage.perform(account, action, { ...toInput(action, fields), ...how });
  return result instanceof Answer ? result.body : result;
}
