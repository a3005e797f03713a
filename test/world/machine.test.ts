/** State machines: their types follow from one declaration, and what they refuse does not compile. */
import { readdirSync, readFileSync } from "node:fs";
import * as Type from "typebox";
import { expect, expectTypeOf, test } from "vitest";
import { exactly } from "../../src/contract/schemas.js";
import { payout } from "../../src/service/business/payouts.js";
import { domain } from "../../src/service/domains/domains.js";
import { machines } from "../../src/service/machines.js";
import { phoneVerification } from "../../src/service/phone/phone.js";
import type { Account } from "../../src/world/account/account.js";
import {
  type AnyTransition,
  initialState,
  machineFor,
  type RecordOf,
  recordFor,
  targetsOf,
} from "../../src/world/records/machine.js";

test("no source casts the state of a record, as it has the type of its machine's states", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  const casts = files.flatMap((file) =>
    [...readFileSync(`src/${file}`, "utf8").matchAll(/\b(?:state|status) as (?!const\b)["(A-Z].*/g)].map(
      ([cast]) => `${file}: ${cast}`,
    ),
  );
  expect(casts).toEqual([]);
});

test.each(machines.map((machine) => [machine.name, machine] as const))(
  "every state of a %s can be reached",
  (_name, machine) => {
    const reached = new Set<string>([initialState]);
    for (const state of reached)
      for (const [, row] of Object.entries(machine.moves))
        if ([row.from].flat().includes(state)) for (const next of targetsOf(row, state)) reached.add(next);
    expect([...reached].sort()).toEqual([initialState, ...machine.states].sort());
  },
);

test("a record has the states of its machine, and after a move the one that the move leads to", () => {
  type Payout = RecordOf<typeof payout>;
  expectTypeOf<Payout["state"]>().toEqualTypeOf<"requested" | "paid" | "failed" | "rejected">();
  const start = (account: Account) =>
    account.records.start(phoneVerification, "send", {} as Parameters<typeof phoneVerification.view>[0]);
  expectTypeOf<ReturnType<typeof start>["state"]>().toEqualTypeOf<"pending">();
  expect(payout.events).toEqual(["payout.requested", "payout.paid", "payout.failed", "payout.rejected"]);
});

test("moves and their inputs are checked by the compiler", () => {
  const wrong = (account: Account, pending: RecordOf<typeof domain>) => {
    account.records.move(domain, pending, "prove", "dns_txt");
    // @ts-expect-error: no such method of proof
    account.records.move(domain, pending, "prove", "email");
    // @ts-expect-error: the move needs its input
    account.records.move(domain, pending, "prove");
    // @ts-expect-error: a domain has no such move
    account.records.move(domain, pending, "revoke");
  };
  expect(wrong).toBeTypeOf("function");
});

test("a table with a state or an event that does not exist does not compile", () => {
  const record = recordFor<Account>()(exactly({ status: Type.Enum(["off", "on"]) }));
  const made = machineFor<Account, "lamp.lit">()(record, {
    name: "lamp",
    prefix: "lmp_",
    moves: {
      create: { from: "new", to: "off" },
      light: { from: "off", to: "on", emits: "lamp.lit" },
      // @ts-expect-error: there is no such state
      dim: { from: "dimmed", to: "on" },
      // @ts-expect-error: there is no such state
      break: { from: "on", to: "broken" },
      // @ts-expect-error: there is no such event
      flash: { from: "on", to: "on", emits: "lamp.flashed" },
    },
  });
  expect(made.byHand.get("off")).toEqual(["light"]);
});

test("every move of the service that is shown has its sentence", () => {
  const without = machines.flatMap(({ name, moves }) =>
    Object.entries<AnyTransition>(moves)
      .filter(([, { silent, says }]) => !silent && !says)
      .map(([move]) => `${name} ${move}`),
  );
  expect(without).toEqual([]);
});

test("every move that the clock makes says what will happen, as others say what has happened", () => {
  const rows = machines.flatMap(({ name, moves }) =>
    Object.entries<AnyTransition>(moves).map(([move, { at, due }]) => [`${name} ${move}`, at, due] as const),
  );
  const timed = rows.filter(([, at]) => at).map(([move]) => move);
  expect(rows.filter(([, , due]) => due).map(([move]) => move)).toEqual(timed);
});
