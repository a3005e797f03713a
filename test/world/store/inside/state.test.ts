import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commitLines } from "../../../../src/world/store/journal.js";
import { type Change, State } from "../../../../src/world/store/state.js";
import { table } from "../../../../src/world/store/table.js";
import { documentOf } from "../../../support/state.js";

const things = table<unknown>("things");

type Step = { kind: "put"; id: string; value: number } | { kind: "delete"; id: string };

const id = fc.constantFrom("a", "b", "c", "d", "__proto__");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id, value: fc.nat() }),
  fc.record({ kind: fc.constant("delete" as const), id }),
);
const commit = fc.array(step, { maxLength: 12 });

function run(state: State, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step.kind === "put") state.put(things, step.id, { value: step.value });
    else state.delete(things, step.id);
  }
}

function committed(state: State, steps: readonly Step[]): Change[] {
  state.begin();
  run(state, steps);
  return state.end();
}

/** The order of records is compared too, since lists depend on it. */
const bytes = (state: State): string => JSON.stringify(documentOf(state));

describe("a commit", () => {
  test("that throws leaves the document unchanged to the byte", () => {
    fc.assert(
      fc.property(commit, commit, (first, second) => {
        const state = new State();
        committed(state, first);
        const before = bytes(state);
        state.begin();
        run(state, second);
        state.rollback();
        expect(bytes(state)).toBe(before);
        expect(state.size(things)).toBe(Object.keys(documentOf(state).things ?? {}).length);
      }),
    );
  });

  test("that is read back from its line gives the same document to the byte", () => {
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 5 }), (commits) => {
        const [state, replayed] = [new State(), new State()];
        for (const steps of commits) {
          for (const line of commitLines(committed(state, steps)))
            for (const [table, id, record] of JSON.parse(line))
              replayed.load(table, id, record === null ? null : JSON.stringify(record));
        }
        expect(bytes(replayed)).toBe(bytes(state));
      }),
    );
  });

  test("sees its own changes before it ends", () => {
    fc.assert(
      fc.property(commit, commit, (first, second) => {
        const state = new State();
        committed(state, first);
        state.begin();
        run(state, second);
        const records = documentOf(state).things ?? {};
        expect([...state.ids(things)]).toEqual(Object.keys(records));
        expect(state.size(things)).toBe(Object.keys(records).length);
        expect([...state.newest(things)]).toEqual(Object.values(records).reverse());
        for (const id of ["a", "b", "c", "d", "e"]) {
          expect(state.get(things, id)).toEqual(records[id]);
          expect(state.has(things, id)).toBe(id in records);
        }
      }),
    );
  });

  test("lists each changed record once, with its last text", () => {
    const state = new State();
    const changes = committed(state, [
      { kind: "put", id: "a", value: 1 },
      { kind: "put", id: "b", value: 1 },
      { kind: "put", id: "a", value: 2 },
      { kind: "delete", id: "b" },
    ]);
    expect(changes).toEqual([
      ["things", "a", '{"value":2}'],
      ["things", "b", null],
    ]);
  });
});

test("a search by an indexed field finds its value there alone, newest first", () => {
  const payments = table<{ state: string; note?: object | string }, "state">("payments", {
    index: ["state"],
  });
  const state = new State();
  const held = { state: "held" };
  state.fill(payments, {
    a: held,
    b: { state: "paid", note: held },
    c: { state: "paid", note: JSON.stringify(held) },
    d: { ...held, note: "last" },
  });
  expect([...state.newest(payments, { state: "held" })]).toEqual([{ ...held, note: "last" }, held]);
  expect([...state.newest(payments, { state: ["paid", "none"] })]).toHaveLength(2);
  expect([...state.newest(payments, { state: undefined })]).toHaveLength(4);
});

test("a change outside a commit throws", () => {
  expect(() => new State().put(things, "a", 1)).toThrow("things/a was changed outside a commit");
});
