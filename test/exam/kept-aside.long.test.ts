/** Clients of kept-aside-2.tar.gz and kept-aside-3.tar.gz: the exam finds their bugs, and accuses none that is right. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { temporaryFolder } from "../support/program.js";
import { isLong, shareOf } from "../support/repetitions.js";
import { skipWithout, type Toolchain } from "../support/toolchains.js";
import { examine } from "./corpus.js";

interface KeptClient {
  name: string;
  folder: string;
  language: "node" | "python" | "php" | "go" | "java";
  /** Command that builds it. */
  prepare: [string, ...string[]] | null;
  /** Command that runs its tests. */
  test: string[];
}

const folder = temporaryFolder();
const all = ["kept-aside-2", "kept-aside-3"].flatMap((archive) => {
  const place = join(folder, archive);
  mkdirSync(place);
  const packed = join(import.meta.dirname, `${archive}.tar.gz`);
  execFileSync("tar", ["xzf", packed, "--strip-components=1", "-C", place]);
  const clients: KeptClient[] = JSON.parse(readFileSync(join(place, "apps.json"), "utf8"));
  return clients.map((client) => ({ ...client, folder: join(place, client.folder) }));
});

const toolchains: Readonly<Record<KeptClient["language"], Toolchain | null>> = {
  node: null,
  python: "python",
  php: "php",
  go: "go",
  java: "java",
};

/**
 * The finding that shows each bug. ride-cash-out has none: its fault needs the end of a payout before the reply that creates it,
 * which the service sends a minute apart.
 */
const shownBy: Readonly<Record<string, string>> = {
  "agency-audits": "survived/getAudit/never-ends",
  "chat-login": "noticed/checkChannelCode/expired/first-account",
  "church-offerings": "absorbed/payment.received/unsigned-first",
  "concert-tickets": "absorbed/listPayments/reversed",
  "craft-market": "absorbed/payment.settled/twice",
  "driver-papers": "survived/verifyDocument/provider_unavailable",
  "dues-receiver": "absorbed/listPayments/rate-limited",
  "festival-gate": "absorbed/listPayments/rate-limited",
  "food-court": "survived/payment.settled/kobo",
  "landlord-accounts": "absorbed/createVirtualAccount/unknown-field",
  "order-hooks": "absorbed/payment.received/unsigned-first",
  "parcel-zones": "noticed/verifyAddress/town_only",
  "payout-tracker": "absorbed/payout.requested/out-of-order",
  "payroll-month": "survived/createPayout/unavailable-later",
  "refund-desk": "survived/createRefund/reply-lost",
  "rent-keys": "noticed/listPayments/held",
  "rent-late-fees": "noticed/listPayments/month-of-lagos/third-account",
  "rider-onboarding": "noticed/verifyNin/refused/first-account",
  "savings-circle": "absorbed/payment.received/letters",
  "school-fees": "noticed/listPayments/held/first-account",
  "school-receipts": "survived/payment.received/null",
  "second-hand-listings": "noticed/scanText/inconclusive/first-account",
  "shoe-returns": "noticed/createRefund/failed",
  "site-auditor": "survived/getAudit/never-ends",
  "staff-import": "survived/verifyBankAccount/rate_limited",
  "support-desk": "noticed/sendChannelMessage/refused",
  "thrift-wallets": "survived/createVirtualAccount/reply-lost",
};

const bugs = all.filter(({ name }) => name in shownBy);
test.for(shareOf(bugs, 12, 1))("the bug of $name is found", async (client, { skip }) => {
  const cwd = prepare(client, skip);
  const finding = shownBy[client.name] as string;
  const { card } = await examine(client.test, ["--budget", "10m", "--only", finding], cwd);
  expect(card.findings.map(({ id }) => id)).toContain(finding);
});

/** Right clients in which the exam finds nothing. Not every client has been examined yet. */
const cleared: readonly string[] = [
  "address-desk",
  "audit-watch",
  "cooperative-dues",
  "driver-kyc",
  "essay-contest",
  "grocery-zones",
  "listing-guard",
  "otp-login",
  "refund-counter",
  "settlement-sweep",
];

const right = all.filter(({ name }) => cleared.includes(name));
test.for(shareOf(right, 10, 0))("$name, which is right, is not accused", async (client, { skip }) => {
  const cwd = prepare(client, skip);
  const { card } = await examine(client.test, ["--budget", isLong ? "10m" : "30s"], cwd);
  expect(card.tried.length).toBeGreaterThan(0);
  expect(card.findings.map(({ title }) => title)).toEqual([]);
});

/** Builds a client, and returns its folder. Skips the test if its language cannot be used here. */
function prepare({ folder: cwd, language, prepare: command }: KeptClient, skip: TestContext["skip"]) {
  const toolchain = toolchains[language];
  if (toolchain) skipWithout(toolchain, skip);
  if (command) execFileSync(command[0], command.slice(1), { cwd });
  return cwd;
}
