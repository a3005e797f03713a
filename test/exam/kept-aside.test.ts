/** Clients that were written before the plan and are kept aside, so that an exam can be judged by bugs it has never seen. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the clients that are kept aside are those that were written before the plan", () => {
  const archive = readFileSync(join(import.meta.dirname, "kept-aside.tar.gz"));
  expect(createHash("sha256").update(archive).digest("hex")).toBe(
    "e6a4cc7f91b24f8391e65308549261702c0a06a51918a6f016a8a81edad7802f",
  );
});
