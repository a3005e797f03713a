/** Routes of the dashboard: its document and files. What it shows, it asks of the control API. */
import { type Request, Router } from "express";
import { contentSecurityPolicy } from "../content-security.js";
import { html } from "../html.js";
import type { SignInOptions } from "../sign-in.js";
import { formatStartText, type StartPage } from "../start-page.js";
import { type DashboardFiles, findDashboardFiles, readDashboardFile } from "./files.js";

export interface DashboardOptions extends Pick<SignInOptions, "guardOrigin" | "signIn"> {
  /** Throws a Refusal if the request may not see the tester's pages. */
  guard(request: Request): void;
  startPage(baseUrl: string): StartPage;
}

const securityPolicy = contentSecurityPolicy({
  connectSrc: ["'self'"],
  requireTrustedTypesFor: ["'script'"],
});

const renderDocument = ({ script, style }: DashboardFiles, basePath: string, testKey: string): string =>
  html`<!doctype html>
<html lang="en" data-base="${basePath}" data-test-key="${testKey}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Standin</title>
<link rel="icon" href="${basePath}/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/theme.css">
<link rel="stylesheet" href="${basePath}/dashboard/${style}">
<script type="module" src="${basePath}/dashboard/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The dashboard needs JavaScript. The <a href="${basePath}/start">start page</a> and the docs do not.</p></noscript>
</body>
</html>
`.text;

/** Browsers get the dashboard at the root, and everything else gets a first screen as text. */
export function dashboardRoutes({ guard, guardOrigin, signIn, startPage }: DashboardOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", (request, response, next) => {
    response.vary("Accept");
    if (request.accepts(["text", "html"]) === "html") return next();
    guard(request);
    response.type("text").send(formatStartText(startPage(request.context.baseUrl)));
  });
  router.get("/", securityPolicy, async (request, response) => {
    // Without a token, nobody can sign in on the dashboard, and the page of the refusal says what to do.
    if (signIn.hasToken()) guardOrigin(request);
    else guard(request);
    const { baseUrl, basePath } = request.context;
    const files = await findDashboardFiles();
    if (!files) return void response.redirect(307, `${basePath}/start`);
    // Revalidated each time: the next build has other file names.
    response
      .set("Cache-Control", "no-cache")
      .type("html")
      .send(renderDocument(files, basePath, startPage(baseUrl).testKey));
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
