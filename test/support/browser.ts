/** A headless browser that the test files of a worker share, and a new page with empty storage for each test. */
import { join } from "node:path";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { beforeAll, inject, onTestFinished } from "vitest";

const screens = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

export interface PageOptions {
  screen?: keyof typeof screens;
  /** Location of the device. If omitted, the person does not share it. */
  location?: { latitude: number; longitude: number; accuracy?: number };
  /** Default true. */
  javaScript?: boolean;
  colorScheme?: "light" | "dark";
}

export interface OpenedPage {
  page: Page;
  /** Errors, warnings and violations of the content security policy that the browser reported. */
  complaints: string[];
}

/** Options that start the browser from the folder where browser-setup.ts has unpacked it. */
export const chromiumOptions = (folder: string) =>
  ({
    executablePath: join(folder, "chromium"),
    args: ["--no-sandbox"],
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts/fonts.conf") },
  }) satisfies LaunchOptions;

/** Browsers of this worker, by the names that they resolve. They end with the worker. */
const browsers = new Map<string, Promise<Browser>>();

/** For files named *-browser.test.ts. `hosts` are names that resolve to this machine, besides localhost. */
export function useBrowser({ hosts = [] }: { hosts?: readonly string[] } = {}) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser(hosts);
  });
  return { open: (options?: PageOptions) => open(browser, options) };
}

/** Resolves to a browser that runs. One that a file before has lost, by a crash for instance, is replaced. */
async function sharedBrowser(hosts: readonly string[]): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",");
  const running = await browsers.get(rules)?.catch(() => undefined);
  if (running?.isConnected()) return running;
  const launched = launch(rules).catch(() => launch(rules));
  browsers.set(rules, launched);
  return await launched;
}

/** Starts a browser. Chromium seldom crashes while it starts on a busy machine, hence the second try above. */
function launch(rules: string): Promise<Browser> {
  const { env, args, ...options } = chromiumOptions(inject("browserFolder"));
  return chromium.launch({
    ...options,
    args: [...args, ...(rules ? [`--host-resolver-rules=${rules}`] : [])],
    env: { ...process.env, ...env },
  });
}

/** Returns the HTML of the elements that are lower than 44 pixels, which is too little for a finger. */
export const tooLow = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll((targets) =>
      targets
        .filter((target) => !(target.getBoundingClientRect().height >= 44))
        .map((target) => target.outerHTML),
    );

async function open(
  browser: Browser,
  { screen = "phone", location, javaScript = true, colorScheme = "light" }: PageOptions = {},
): Promise<OpenedPage> {
  const options: BrowserContextOptions = {
    locale: "en-NG",
    viewport: screens[screen],
    javaScriptEnabled: javaScript,
    colorScheme,
    isMobile: screen === "phone",
    hasTouch: screen === "phone",
  };
  if (location) {
    options.geolocation = location;
    options.permissions = ["geolocation"];
  }
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { page, complaints };
}
