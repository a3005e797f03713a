/** Starts the browser of the tests, which unpack it on their first run. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export async function launch() {
  const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
  const name = existsSync(cache) && readdirSync(cache).find((found) => /^chromium-[\d.]+$/.test(found));
  if (!name)
    throw new Error("no browser is unpacked; run a browser test first: npx vitest run test/ui/dashboard");
  const folder = join(cache, name);
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: join(folder, "fonts/fonts.conf"),
    },
  });
}
