import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { away, far, locate, near, started, submit } from "./checks.js";

const sandbox = useSandbox();

interface Signal {
  category: string;
  severity: string;
  title: string;
  detail: string;
}

const signalsOf = async (account: SandboxAccount, { id }: { id: string }): Promise<Signal[]> =>
  (await account.records.get(id)).record.signals as Signal[];

const titles = async (account: SandboxAccount, check: { id: string }) =>
  (await signalsOf(account, check)).map(({ category, title }) => `${category}: ${title}`);

const [inaccurate, tooFar, otherName] = [
  "location: Inaccurate location",
  "location: Location far from the address",
  "document: Different name on the document",
];

describe("a signal", () => {
  test("has a category, a severity, a title and a detail with the figures", async () => {
    const account = sandbox.account();
    const check = await started(account, { radius_m: 150 });
    await locate(account, check, away(check, 5_000));
    const [signal, ...others] = await signalsOf(account, check);
    expect(others).toEqual([]);
    expect(Object.keys(signal ?? {})).toEqual(["category", "severity", "title", "detail"]);
    expect(signal?.detail).toContain("5000 m");
    expect(signal?.detail).toContain("150 m");
  });

  test("reports an accuracy worse than 100 m, but not 100 m itself", async () => {
    const account = sandbox.account();
    const check = await started(account, { address: "Ikeja, Lagos" });
    await locate(account, check, away(check, 0, 100));
    expect(await titles(account, check)).toEqual([]);
    await locate(account, check, away(check, 0, 100.1));
    expect(await titles(account, check)).toEqual([inaccurate]);
    expect((await signalsOf(account, check))[0]?.detail).toContain("100.1 m");
  });

  test("reports a location beyond the radius and its accuracy", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await locate(account, check, away(check, 260, 80));
    expect(await titles(account, check)).toEqual([]);
    await locate(account, check, away(check, 260, 50));
    expect(await titles(account, check)).toEqual([tooFar]);
  });

  test("reports a different name on the document, but not a different address", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await submit(account, check, "otheraddress.png");
    expect(await titles(account, check)).toEqual([]);
    await submit(account, check, "othername.png");
    expect(await titles(account, check)).toEqual([otherName]);
  });

  test("can occur together with others", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await submit(account, check, "othername.png");
    await locate(account, check, away(check, 5_000, 400));
    expect(await titles(account, check)).toEqual([inaccurate, tooFar, otherName]);
  });
});

test("a better location removes only the signals of the previous one", async () => {
  const account = sandbox.account();
  const check = await started(account, { address: "Ikeja, Lagos" });
  await submit(account, check, "othername.png");
  await locate(account, check, away(check, 5_000, 400));
  await locate(account, check, near(check));
  expect(await titles(account, check)).toEqual([otherName]);
});

test("a better document removes only the signals of the previous one", async () => {
  const account = sandbox.account();
  const check = await started(account);
  await submit(account, check, "othername.png");
  await locate(account, check, far(check));
  await submit(account, check);
  expect(await titles(account, check)).toEqual([tooFar]);
});

test("a location is not reported as far from an address that is not found", async () => {
  const account = sandbox.account();
  const check = await started(account, { address: "12 Nowhere Street" });
  await locate(account, check, { latitude: 0, longitude: 0, accuracy_m: 101 });
  expect(await titles(account, check)).toEqual([inaccurate]);
});

test("a refused location leaves the signals unchanged", async () => {
  const account = sandbox.account();
  const check = await started(account);
  await locate(account, check, far(check));
  await locate(account, check, { ...near(check), latitude: 91 });
  expect(await titles(account, check)).toEqual([tooFar]);
});
