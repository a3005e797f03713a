/** Routes of the dashboard: its document and files. What it shows, it asks of the control API. */
import { type Request, Router } from "express";
import type { SignInOptions } from "../sign-in.js";
import { formatStartText, type StartPage } from "../start-page.js";
import { dashboardPolicy, findDashboardFiles, readDashboardFile, sendDashboard } from "./document.js";

export interface DashboardOptions extends Pick<SignInOptions, "guardOrigin" | "signIn"> {
  /** Throws a Refusal if the request may not see the tester's pages. */
  guard(request: Request): void;
  startPage(baseUrl: string): StartPage;
}

/** Browsers get the dashboard at the root, and everything else gets a first screen as text. */
export function dashboardRoutes({ guard, guardOrigin, signIn, startPage }: DashboardOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", (request, response, next) => {
    response.vary("Accept");
    if (request.accepts(["text", "html"]) === "html") return next();
    guard(request);
    response.type("text").send(formatStartText(startPage(request.context.baseUrl)));
  });
  router.get("/", dashboardPolicy, async (request, response) => {
    // Without a token, nobody can sign in on the dashboard, and the page of the refusal says what to do.
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
