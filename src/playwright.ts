/**
 * Fixtures for Playwright's test runner: a sandbox for each worker, and a fresh account for each test.
 *
 *     import { test as base } from "@playwright/test";
 *     import { withSandbox } from "standin/playwright";
 *     export const test = withSandbox(base);
 */
// Types alone: Playwright's runner refuses to be loaded twice, as it would be from a package that is linked.
import type {
  BrowserContext,
  Fixtures,
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from "@playwright/test";
import type { SandboxAccount } from "./client/account/account.js";
import { advanceTimers } from "./client/account/account-client.js";
import { formatTail } from "./client/account/format.js";
import { ControlError } from "./client/client.js";
import {
  type AccountOptions,
  connectSandbox,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "./index.js";
import { type TestCard, testCards } from "./service/business/charges.js";

export interface SandboxTestFixtures {
  /** Options of `account`. With a fixed `key`, tests share the account; by default each test has its own. */
  accountOptions: AccountOptions;
  /** An isolated account. If the test fails, the last activities of the account are attached to its report. */
  account: SandboxAccount;
  /**
   * The clock of the pages of the test: `real`, or `account`, which starts at the time of the account and advances with
   * `account.advance`. Needs Playwright 1.45. Default `real`.
   */
  pageClock: "real" | "account";
  /** Resolves with the newest one-time code that was sent to a phone number or e-mail address. Rejects after `timeout`. */
  otp(to: string, options?: OtpOptions): Promise<string>;
  /** Opens the `confirm_url` of an address check in a new tab, gives proof as the person would, and closes the tab. */
  visitConfirmPage(url: string, options?: ConfirmOptions): Promise<void>;
  /** Pays with a test card on the checkout that `page` shows, or that `url` leads to. */
  payCheckout(options?: PayOptions): Promise<void>;
}

export interface SandboxWorkerFixtures {
  /** Options of `sandbox`. */
  sandboxOptions: SandboxOptions;
  /** The sandbox of the worker, in memory, or the one at STANDIN_URL, which `standin exec` sets. */
  sandbox: Pick<Sandbox, "url" | "account">;
}

type TestArgs = PlaywrightTestArgs & PlaywrightTestOptions;
type WorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions;

/** Returns a test function that has the fixtures of `base` and the sandbox's. */
export const withSandbox = <T extends TestArgs, W extends WorkerArgs>(
  base: TestType<T, W>,
): TestType<T & SandboxTestFixtures, W & SandboxWorkerFixtures> =>
  base.extend<SandboxTestFixtures, SandboxWorkerFixtures>(
    fixtures as Fixtures<SandboxTestFixtures, SandboxWorkerFixtures, T, W>,
  );

/** Lets the clock of a page start at the time of the account, and advance with it. */
async function keepInStep({ clock }: Page, account: SandboxAccount): Promise<void> {
  await clock.install({ time: (await account.clock.get()).now });
  const { advance } = account;
  account.advance = async (by, options) => {
    const result = await advance.call(account, by, options);
    await advanceTimers(clock, by);
    return result;
  };
}

const fixtures: Fixtures<SandboxTestFixtures, SandboxWorkerFixtures, TestArgs, WorkerArgs> = {
  sandboxOptions: [{}, { option: true, scope: "worker" }],

  sandbox: [
    async ({ sandboxOptions }, use) => {
      const { STANDIN_URL, STANDIN_ADMIN_TOKEN: adminToken } = process.env;
      if (STANDIN_URL) return use(connectSandbox(STANDIN_URL, adminToken ? { adminToken } : {}));
      const sandbox = await startSandbox(sandboxOptions);
      await use(sandbox);
      await sandbox.close();
    },
    { scope: "worker" },
  ],

  accountOptions: [{}, { option: true }],

  account: async ({ sandbox, accountOptions }, use, testInfo) => {
    const account = sandbox.account(accountOptions);
    await use(account);
    if (testInfo.status === testInfo.expectedStatus) return;
    const body = formatTail(await account.activity.list({ limit: 50 }));
    await testInfo.attach("sandbox-activity", { body, contentType: "text/plain" });
  },

  pageClock: ["real", { option: true }],

  page: async ({ page, account, pageClock }, use) => {
    if (pageClock === "account") await keepInStep(page, account);
    await use(page);
  },

  otp: async ({ account }, use) => use((to, options) => waitForCode(account, to, options)),

  visitConfirmPage: async ({ context }, use) => use((url, options) => confirmAddress(context, url, options)),

  payCheckout: async ({ page }, use) => use((options) => payOnCheckout(page, options)),
};

export interface OtpOptions {
  /** Wall-clock time to wait for a message, at most 60s. Default 5s. */
  timeout?: string;
}

/** Resolves with the code of the newest message to `to`. Messages that an earlier call has read are ignored. */
async function waitForCode(
  account: SandboxAccount,
  to: string,
  { timeout = "5s" }: OtpOptions = {},
): Promise<string> {
  let newest: string | undefined;
  while (newest === undefined) [newest] = (await account.inbox.wait({ to, timeout })).codes;
  for (;;) {
    const message = await account.inbox.wait({ to, timeout: "0s" }).catch(ignoreTimeout);
    if (message === null) return newest;
    newest = message.codes[0] ?? newest;
  }
}

function ignoreTimeout(error: unknown): null {
  if (error instanceof ControlError && error.code === "wait_timeout") return null;
  throw error;
}

export interface ConfirmOptions {
  /** Where the person shares the location: at the address (the default), elsewhere, or not at all. */
  location?: "address" | "elsewhere" | "none";
  /** Path of a photo or PDF of a bill to upload. Default: none. */
  bill?: string;
}

/** Gives proof on the page of an address check, and resolves once it has been judged. */
async function confirmAddress(
  context: BrowserContext,
  url: string,
  { location = "address", bill }: ConfirmOptions = {},
): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(url);
    // First the bill, since a location may suffice and close the check.
    if (bill !== undefined) {
      await page.getByLabel("Your bill or statement").setInputFiles(bill);
      await submit(page, "Upload the bill");
    }
    if (location !== "none")
      await submit(page, location === "address" ? "I am at the address" : "I am elsewhere");
  } finally {
    await page.close();
  }
}

export interface PayOptions {
  /** The `checkout_url` of a charge. Default: the page that is open. */
  url?: string;
  /** Effect of the card, or the number of a test card. Default `paid`. */
  card?: TestCard["result"] | (string & {});
  /** Answer to the bank's question, which the card `second_step` asks. Default `approve`. */
  secondStep?: "approve" | "decline";
}

/** Pays as the customer, and resolves once the page shows whether the payment went through. */
export async function payOnCheckout(
  page: Page,
  { url, card = "paid", secondStep = "approve" }: PayOptions = {},
): Promise<void> {
  const { number, result } = findCard(card);
  if (url !== undefined) await page.goto(url);
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill("12 / 99");
  await page.getByLabel("Security code").fill("123");
  await submit(page, /^Pay/);
  if (result === "second_step") await submit(page, secondStep === "approve" ? "Approve" : "Decline");
}

function findCard(card: string): TestCard {
  const digits = card.replace(/[\s-]/g, "");
  const found = testCards.find(({ number, result }) => result === card || number === digits);
  if (found) return found;
  const known = testCards.map(({ number, result }) => `${result} (${number})`).join(", ");
  throw new RangeError(`card must be one of the test cards: ${known}`);
}

/** Submits a form of a hosted page. Every answer to one is a page. */
export async function submit(page: Page, button: string | RegExp): Promise<void> {
  await page.waitForLoadState();
  const answer = page.waitForEvent("load");
  await page.getByRole("button", { name: button }).click();
  await answer;
}
