/** A headless browser for the tests of one file, and a new page with empty storage for each test. */
import { join } from "node:path";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, inject, onTestFinished } from "vitest";

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

/** For files named *-browser.test.ts. `hosts` are names that resolve to this machine, besides localhost. */
export function useBrowser({ hosts = [] }: { hosts?: readonly string[] } = {}) {
  let browser: Browser;
  beforeAll(async () => {
    const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",");
    const { env, args, ...options } = chromiumOptions(inject("browserFolder"));
    browser = await chromium.launch({
      ...options,
      args: [...args, ...(rules ? [`--host-resolver-rules=${rules}`] : [])],
      env: { ...process.env, ...env },
    });
  });
  afterAll(() => browser?.close());
  return { open: (options?: PageOptions) => open(browser, options) };
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
