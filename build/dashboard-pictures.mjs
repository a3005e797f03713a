/**
 * Draws the pictures of the README: the dashboard on Demo day, on light and on dark pages. `npm run pictures` writes them
 * again after a build, so that they show the current dashboard.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { launch } from "../bench/browser.mjs";
import { startStandin } from "../bench/servers.mjs";

const folder = new URL("../.github/pictures/", import.meta.url);
const key = "svc_test_demo";
const maxBytes = 150_000;

const server = await startStandin(["--memory"]);
const browser = await launch();
try {
  await control("scenarios/demo-day/load");
  await control("clock/advance", { by: "6m" });
  for (const colorScheme of ["light", "dark"]) await draw(colorScheme);
} finally {
  await browser.close();
  await server.stop();
}

async function control(path, body = {}) {
  const reply = await fetch(`${server.url}/_sandbox/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Service-Key": key },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

async function draw(colorScheme) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    locale: "en-NG",
    colorScheme,
  });
  await page.goto(`${server.url}/#/activity`);
  await page.locator(".connection.live").waitFor({ state: "attached" });
  await page.locator(".row", { hasText: "received; the fee is" }).first().click();
  await page.locator(".tree li").first().waitFor();
  await page.mouse.move(0, 0);
  const shot = await page.screenshot({ animations: "disabled" });
  // The page has few colours, so a palette keeps it sharp.
  const picture = await sharp(shot).png({ palette: true, colours: 128, effort: 10 }).toBuffer();
  if (picture.length > maxBytes)
    throw new Error(`The ${colorScheme} picture has ${picture.length} bytes; the limit is ${maxBytes}.`);
  await writeFile(fileURLToPath(new URL(`dashboard-${colorScheme}.png`, folder)), picture);
  await page.close();
}
