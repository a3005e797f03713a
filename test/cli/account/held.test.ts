import { expect, test } from "vitest";
import { post } from "../../support/sandbox.js";
import { runHere } from "../run-here.js";
import { connectionTo, standinHere, useProgram } from "../use-program.js";

const program = useProgram();

const start = (account: Parameters<typeof post>[0]) =>
  post(account, "/v1/phone/verify/start", { phone: "08031234567" });

test("standin held lists what rules hold, releases it with changes, and drops it", async () => {
  const account = program.account();
  expect(await standinHere(account, "held", "list")).toBe("Nothing is held.\n");
  await account.rules.add({ on: "startPhoneVerification", hold: "reply" });
  const changed = start(account);
  const { id } = await account.held.next();
  expect(await standinHere(account, "held", "list")).toMatch(
    new RegExp(`^${id} +reply +startPhoneVerification +/v1/phone/verify/start +201$`, "m"),
  );
  const changes = [
    "--status",
    "504",
    "--header",
    "X-Id: 7",
    "--header",
    "X-Request-Id:",
    "--body",
    '{"late":true}',
  ];
  expect(await standinHere(account, "held", "release", id, ...changes)).toBe(
    `The reply ${id} is released.\n`,
  );
  const { status, headers, body } = await changed;
  expect([status, headers.get("X-Id"), headers.get("X-Request-Id"), body]).toEqual([
    504,
    "7",
    null,
    { late: true },
  ]);
  const dropped = start(account).catch(() => "reset");
  const next = await account.held.next();
  expect(await standinHere(account, "held", "drop", next.id)).toBe(`The reply ${next.id} is dropped.\n`);
  expect(await dropped).toBe("reset");
});

test.each([
  [["release", "req_1", "--status", "700"], /A status is a number from 200 to 599/],
  [["release", "req_1", "--header", "none"], /A header is a name, a colon and a value/],
])("standin held %j is refused", async (args, problem) => {
  const { code, stderr } = await runHere(["held", ...args, ...connectionTo(program.account())]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(problem)]);
});
