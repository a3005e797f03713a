/** Makes the initial state of a scenario. */

import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { toSnake } from "../contract/operation.js";
import { Answer } from "../contract/reply-forms.js";
import { Turns } from "../time/turns.js";
import type { Account } from "../world/account/account.js";
import { IllegalMove } from "../world/records/machine.js";
import { type ActionInput, findAction, type Stage, toInput } from "./actions.js";
import { type Fields, type GivenSection, type MadeRecords, type Move, sections } from "./given-sections.js";
import { resolveReferences, UnresolvedReference } from "./references.js";

const Item = Type.Object({}, { additionalProperties: true });

/** Schema of `given`. The fields of a section are checked against the operation that makes its records. */
export const GivenRecords = Type.Object(
  {
    clock: Type.Optional(
      Type.String({
        examples: ["2026-03-01T09:00:00Z"],
        description: "Initial time of the account's clock, which is frozen there",
      }),
    ),
    ...Object.fromEntries(
      Object.entries(sections).map(([name, { isSingle, description, operation }]) => {
        const about = { description: `${description}: fields of ${operation}` };
        return [
          name,
          Type.Optional(
            isSingle ? Type.Object({}, { ...about, additionalProperties: true }) : Type.Array(Item, about),
          ),
        ];
      }),
    ),
  },
  { additionalProperties: false },
);
export type GivenRecords = Readonly<{ clock?: string } & Record<string, unknown>>;

/** Thrown when a record of `given` cannot be made. */
export class GivenProblem extends Error {
  constructor(
    readonly at: string,
    readonly reason: unknown,
  ) {
    super(`${at}: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

/** Makes the records of `given`, section by section in the order in which they depend on each other. */
export async function makeGiven(account: Account, stage: Stage, given: GivenRecords): Promise<MadeRecords> {
  const wanted = withNeededSections(given);
  const made: Record<string, unknown> = {};
  const making = { account, stage, made, epoch: account.epoch };
  for (const [name, section] of Object.entries(sections)) {
    const fields = wanted[name];
    if (fields === undefined) continue;
    if (section.isSingle) made[name] = await makeOne(making, section, fields as Fields, name);
    else await makeAll(making, section, fields as readonly Fields[], name);
  }
  return made;
}

/** Returns `given` with the sections that its sections need but that it does not name, with their default records. */
function withNeededSections(given: GivenRecords): Record<string, unknown> {
  const wanted: Record<string, unknown> = { ...given };
  for (const [name, { needs = {} }] of Object.entries(sections).reverse()) {
    const isGiven = Array.isArray(wanted[name])
      ? (wanted[name] as []).length > 0
      : wanted[name] !== undefined;
    if (isGiven) for (const [needed, by] of Object.entries(needs)) wanted[needed] ??= by;
  }
  return wanted;
}

/** One record of `given`, and the operation that makes it. */
export interface SectionItem {
  readonly section: string;
  /** Place in the file, such as `given.payments.0`. */
  readonly at: string;
  readonly operation: string;
  /** Whether the section has no other record. */
  readonly isSingle: boolean;
  /** Whether moves by hand follow. */
  readonly moves: boolean;
  /** Returns the fields of the request, with their references. */
  fields(made: MadeRecords): Fields;
}

/** Returns the records that `given` makes, in order. */
export function sectionItems(given: GivenRecords): SectionItem[] {
  const wanted = withNeededSections(given);
  return Object.entries(sections).flatMap(([name, section]) => {
    const items = [wanted[name] ?? []].flat() as Fields[];
    const { defaults, isSingle = false, operation, words = {} } = section;
    return items.map((item, index) => {
      const fieldsOfMoves = Object.keys(item).filter(
        (field) => Object.hasOwn(words, field) || field === "moves",
      );
      const own = Object.fromEntries(
        Object.entries(item).filter(([field]) => !fieldsOfMoves.includes(field)),
      );
      return {
        section: name,
        at: isSingle ? `given.${name}` : `given.${name}.${index}`,
        operation,
        isSingle,
        moves: fieldsOfMoves.length > 0,
        fields: (made: MadeRecords) => ({ ...defaults?.(made), ...own }),
      };
    });
  });
}

/** Returns the names of the sections that `given` makes, in order. */
export function sectionsMade(given: GivenRecords): string[] {
  const wanted = withNeededSections(given);
  return Object.keys(sections).filter((name) => wanted[name] !== undefined);
}

interface Making {
  account: Account;
  stage: Stage;
  made: Record<string, unknown>;
  epoch: number;
}

/** Names that references in `given` may begin with. */
export const givenScope = ["given", "account"] as const;

/** Returns the values that references in `given` can name: the records made so far, and the sandbox's webhook receiver. */
const scopeOf = ({ account, made }: Making): Record<(typeof givenScope)[number], unknown> => ({
  given: made,
  account: { receiver: `${account.options.ownUrl?.() ?? account.baseUrl}/receiver/${account.id}` },
});

async function makeAll(
  making: Making,
  section: GivenSection,
  items: readonly Fields[],
  name: string,
): Promise<void> {
  const list: unknown[] = [];
  making.made[name] = list;
  const turns = new Turns();
  for (const [index, fields] of items.entries()) {
    list.push(await makeOne(making, section, fields, `${name}.${index}`));
    const over = turns.step();
    if (over) await over;
  }
}

async function makeOne(making: Making, section: GivenSection, given: Fields, at: string): Promise<unknown> {
  const { account, made, stage } = making;
  const { words = {}, id = "id" } = section;
  const asked = Object.keys(given).filter((field) => Object.hasOwn(words, field));
  const own = Object.fromEntries(
    Object.entries(given).filter(([field]) => !asked.includes(field) && field !== "moves"),
  );
  const runHere = async (operation: string, fields: Fields) => {
    checkEpoch(making);
    return runAction(account, stage, operation, fields, { setsUp: true });
  };
  try {
    const reply = (await runHere(
      section.operation,
      resolveReferences({ ...section.defaults?.(made), ...own }, scopeOf(making)) as Fields,
    )) as Fields;
    let record: Fields | null = null;
    for (const move of [...movesOf(asked, given, words), ...((given.moves as Move[]) ?? [])]) {
      const { move: name, with: input = {} } = typeof move === "string" ? { move } : move;
      const filled = resolveReferences(input, scopeOf(making)) as Fields;
      const moved = await runHere("moveRecord", { ...filled, id: reply[id], move: name });
      record = (moved as { record: Fields }).record;
    }
    // Fields that only the first reply has, such as a link, are kept.
    return record ? { ...reply, ...record } : reply;
  } catch (error) {
    if (isReportable(error)) throw new GivenProblem(`given.${at}`, error);
    throw error;
  }
}

/** Returns whether the tester can correct the error. Others are bugs of the sandbox. */
const isReportable = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof UnresolvedReference || error instanceof IllegalMove;

/** Throws a refusal if the account was reset or restored while the records were being made. */
export function checkEpoch({ account, epoch }: Pick<Making, "account" | "epoch">): void {
  if (account.epoch === epoch) return;
  throw new Refusal("clock_busy", {
    message: "The account was reset or restored while the scenario was being loaded; load it again.",
  });
}

/** Returns the moves that words stand for. An object, as in `completed: {minutes: 5}`, is the input of the last one. */
function movesOf(asked: readonly string[], given: Fields, words: NonNullable<GivenSection["words"]>): Move[] {
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

/** Returns the default fields of an action, by either spelling of its id. */
export function defaultsOf(action: string, made: MadeRecords): Fields {
  const section = Object.values(sections).find(
    ({ operation }) => operation === action || toSnake(operation) === action,
  );
  return section?.defaults?.(made) ?? {};
}

/** Runs an action by its operation's id and returns the body of the reply. */
export async function runAction(
  account: Account,
  stage: Stage,
  id: string,
  fields: Fields,
  options: Pick<ActionInput, "setsUp"> = {},
): Promise<unknown> {
  const action = findAction(stage.operations, id);
  if (!action) throw new Error(`there is no action ${id}`);
  const result = await stage.perform(account, action, { ...toInput(action, fields), ...options });
  return result instanceof Answer ? result.body : result;
}
