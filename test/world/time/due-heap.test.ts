import fc from "fast-check";
import { expect, test } from "vitest";
import { type Due, DueHeap } from "../../../src/world/jobs/jobs.js";

const dues = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });

const inOrder = (one: Due, other: Due): number => one.due - other.due || one.sequence - other.sequence;

test("items leave in order of time, and of insertion at the same instant", () => {
  fc.assert(
    fc.property(dues, (dues) => {
      const heap = new DueHeap<Due>();
      const items = dues.map((due, sequence) => ({ due, sequence }));
      for (const item of items) heap.push(item);
      expect(items.map(() => heap.pop())).toEqual(items.toSorted(inOrder));
      expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined]);
    }),
  );
});

test("the order is kept when pushes and pops alternate", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { maxLength: 200 }), (steps) => {
      const heap = new DueHeap<Due>();
      let model: Due[] = [];
      for (const [sequence, due] of steps.entries()) {
        if (due === null) {
          const [first, ...rest] = model.toSorted(inOrder);
          expect(heap.pop()).toEqual(first);
          model = rest;
        } else {
          heap.push({ due, sequence });
          model.push({ due, sequence });
        }
        expect(heap.size).toBe(model.length);
      }
    }),
  );
});
