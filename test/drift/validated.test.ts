/** Where it is shown when an assumption was validated against the service. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { runProgram, temporaryFolder } from "../support/program.js";
import { useListeningSandbox } from "../support/sandbox.js";

const dayMs = 86_400_000;
const file = join(temporaryFolder(), "drift.lock.json");
const before = new Date(Date.now() - 3 * dayMs).toISOString();
const entry = { verdict: "confirmed", observed: "created", checked_at: before, evidence: [] };
const lock = {
  version: 1,
  against: "https://api.example.com",
  assumptions: {
    "http.created": entry,
    "errors.body": { ...entry, verdict: "contradicted", observed: "flat" },
    banks: { ...entry, verdict: "neither", observed: null },
  },
  operations: {},
};

interface View {
  id: string;
  validated: { checked_at: string; age: string; observed: string | null } | null;
}

const validations = async (account: SandboxAccount) => {
  const { items } = await account.control<{ items: View[] }>("GET", "/assumptions");
  return Object.fromEntries(items.map(({ id, validated }) => [id, validated]));
};

describe("with a lock file", () => {
  const sandbox = useListeningSandbox({ driftLock: file });

  test("the control API shows the age and what the service has", async () => {
    writeFileSync(file, JSON.stringify(lock));
    const found = await validations(sandbox.account());
    expect(found["http.created"]).toEqual({ checked_at: before, age: "3 days ago", observed: "created" });
    expect(found["errors.body"]).toMatchObject({ age: "3 days ago", observed: "flat" });
    expect(found.banks).toMatchObject({ age: "3 days ago", observed: null });
    expect(found["phone.ended"]).toBeNull();
  });

  test("standin assumptions shows the age", async () => {
    writeFileSync(file, JSON.stringify(lock));
    const { stdout } = await runProgram(["assumptions", "--url", sandbox.url]);
    expect(stdout).toMatch(/^http\.created +created +ok +3 days ago/m);
    expect(stdout).toMatch(/^phone\.ended .* never /m);
  });

  test("a broken file counts as none and is reported", async () => {
    writeFileSync(file, "{}");
    expect((await validations(sandbox.account()))["http.created"]).toBeNull();
    expect(sandbox.warnings.splice(0)).toEqual([
      expect.stringContaining(`${file} is not a lock file of standin drift`),
    ]);
  });
});

describe("without a lock file", () => {
  const sandbox = useListeningSandbox();

  test("no assumption is validated", async () => {
    expect(new Set(Object.values(await validations(sandbox.account())))).toEqual(new Set([null]));
  });
});
