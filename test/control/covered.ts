/** Reads coverage reports for tests. */
import { onTestFinished } from "vitest";
import { type CoverageReport, type SandboxAccount, startSandbox } from "../../src/index.js";
import { post } from "../support/sandbox.js";

export const phone = "+2348031234567";

export const start = (account: SandboxAccount, to: unknown = phone, headers?: Record<string, string>) =>
  post(account, "/v1/phone/verify/start", { phone: to }, headers);

export const merged = (account: SandboxAccount) => account.control<CoverageReport>("GET", "/coverage");

/** Starts a sandbox that has received no requests. */
export async function unused() {
  const fresh = await startSandbox({ validateReplies: true });
  onTestFinished(() => fresh.close());
  return fresh;
}

export const operation = ({ operations }: CoverageReport, id: string) =>
  operations.find((entry) => entry.operation === id);

/** Returns the entries with a count above zero, with their counts. */
export const outcomes = (report: CoverageReport, id: string) =>
  Object.fromEntries(
    (operation(report, id)?.outcomes ?? [])
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => [name, count]),
  );
export const transitions = ({ transitions }: CoverageReport) =>
  Object.fromEntries(
    transitions
      .filter(({ count }) => count > 0)
      .map(({ machine, move, from, to, count }) => [`${machine} ${move}: ${from} → ${to}`, count]),
  );
export const events = ({ events }: CoverageReport) =>
  Object.fromEntries(events.filter(({ count }) => count > 0).map(({ event, count }) => [event, count]));
