/** The dashboard: its document and content security policy, its routes, and its files below dist/. Its data comes from the control API. */
import { readdir, readFile } from "node:fs/promises";
import { type Request, type Response, Router } from "express";
import { html } from "../documents/html.js";
import { contentSecurityPolicy } from "./content-security.js";
import type { SignInOptions } from "./sign-in.js";
import { formatStartText, type StartPage } from "./start-page.js";

/** Folders of dist/ whose files browsers load. */
type Folder = "pages" | "dashboard";

/** The folder dist/. Program and library are in dist/bundle/. When run from source, the files of the last build are used. */
const dist = new URL(import.meta.url.endsWith(".ts") ? "../../dist/" : "../", import.meta.url);

/** Returns the names of the files in a folder: none if it was not built. */
const listBuiltFiles = (folder: Folder): Promise<string[]> => readdir(new URL(folder, dist)).catch(() => []);

/** Reads a file. Returns null if it was not built. `name` must not come from a request unchecked. */
export const readBuiltFile = (folder: Folder, name: string): Promise<Buffer | null> =>
  readFile(new URL(`${folder}/${name}`, dist)).catch(() => null);

/** Names hold a hash of the content, so that browsers may keep the files for good. */
const fileName = /^[a-z-]+-[A-Z0-9]+\.(js|css)$/;

interface DashboardFiles {
  script: string;
  style: string;
}

/** Returns the names of the files of the last build, or null if there are none. */
export async function findDashboardFiles(): Promise<DashboardFiles | null> {
  const names = await listBuiltFiles("dashboard");
  const [script, style] = ["js", "css"].map((type) =>
    names.find((name) => name.startsWith("dashboard-") && fileName.exec(name)?.[1] === type),
  );
  return script && style ? { script, style } : null;
}

/** Reads a file of the dashboard. Returns null for an unknown name. */
async function readDashboardFile(name: string): Promise<Buffer | null> {
  if (!fileName.test(name)) return null;
  return readBuiltFile("dashboard", name);
}

/** Allows blob: URLs for the pictures in replies. */
export const dashboardPolicy = contentSecurityPolicy({
  imgSrc: ["'self'", "blob:"],
  connectSrc: ["'self'"],
  requireTrustedTypesFor: ["'script'"],
});

interface DashboardDocument {
  files: DashboardFiles;
  testKey: string;
  /** Path of the screen to show. Default: the screen in the address. */
  opens?: string;
}

export function sendDashboard(response: Response, { files, testKey, opens }: DashboardDocument): void {
  const { basePath } = response.req.context;
  const screen = opens ? html` data-opens="${opens}"` : html``;
  const { text } = html`<!doctype html>
<html lang="en" data-base="${basePath}" data-test-key="${testKey}"${screen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Standin</title>
<link rel="icon" href="${basePath}/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/theme.css">
<link rel="stylesheet" href="${basePath}/dashboard/${files.style}">
<script type="module" src="${basePath}/dashboard/${files.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The dashboard and the API reference need JavaScript. The <a href="${basePath}/start">start page</a> and
<a href="${basePath}/llms.txt">llms.txt</a>, which lists every operation, do not.</p></noscript>
</body>
</html>
`;
  // Revalidated each time: the next build has other file names.
  response.set("Cache-Control", "no-cache").type("html").send(text);
}

export interface DashboardOptions extends Pick<SignInOptions, "guardOrigin" | "signIn"> {
  /** Throws a Refusal if the request may not see the tester's pages. */
  guard(request: Request): void;
  startPage(baseUrl: string): StartPage;
}

/** Creates the routes of the dashboard. At the root, browsers get the dashboard and other clients a first screen as text. */
export function dashboardRoutes({ guard, guardOrigin, signIn, startPage }: DashboardOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", (request, response, next) => {
    response.vary("Accept");
    if (request.accepts(["text", "html"]) === "html") return next();
    guard(request);
    response.type("text").send(formatStartText(startPage(request.context.baseUrl)));
  });
  router.get("/", dashboardPolicy, async (request, response) => {
    // Without a token, nobody can sign in on the dashboard, and the refusal says what to do.
    if (signIn.hasToken()) guardOrigin(request);
    else guard(request);
    const { baseUrl, basePath } = request.context;
    const files = await findDashboardFiles();
    if (!files) return void response.redirect(307, `${basePath}/start`);
    sendDashboard(response, { files, testKey: startPage(baseUrl).testKey });
  });
  router.get("/dashboard/:name", async ({ params: { name } }, response, next) => {
    const content = await readDashboardFile(name as string);
    if (!content) return next();
    response
      .set("Cache-Control", "public, max-age=31536000, immutable")
      .type(name as string)
      .send(content);
  });
  return router;
}
