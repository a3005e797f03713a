/** Routes of all pages: dashboard, start page, docs, sign-in, hosted pages, and the receiver of webhooks. */
import { type RequestHandler, Router } from "express";
import helmet from "helmet";
import { type CheckoutOptions, checkoutRoutes } from "./checkout/routes.js";
import { type ConfirmRoutesOptions, confirmRoutes } from "./confirm/routes.js";
import { type DashboardOptions, dashboardRoutes, readBuiltFile } from "./dashboard.js";
import { type DocsOptions, docsRoutes } from "./docs/routes.js";
import { mark } from "./hosted/page.js";
import { type ReceiverOptions, receiverRoutes } from "./receiver.js";
import { type SignInOptions, showSignIn, signInRoutes } from "./sign-in.js";
import { renderStartPage } from "./start-page.js";

export interface PagesOptions
  extends DashboardOptions,
    ConfirmRoutesOptions,
    CheckoutOptions,
    DocsOptions,
    ReceiverOptions,
    SignInOptions {}

/** Path of a style sheet or script that the build writes into dist/pages/. */
const builtFile = /^\/([a-z]+\.(?:css|js))$/;

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  strictTransportSecurity: false,
});

export interface Pages {
  /** Requests for other paths pass through. */
  router: Router;
  /** Shows the sign-in page in place of the requested one. */
  showSignIn: RequestHandler;
}

/** Creates the router of all pages. */
export function createPages(options: PagesOptions): Pages {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(securityHeaders);
  router.use(dashboardRoutes(options));
  router.get("/start", (request, response) => {
    options.guard(request);
    const { baseUrl, basePath } = request.context;
    response.type("html").send(renderStartPage(options.startPage(baseUrl), basePath));
  });
  // Files are revalidated each time, since another version of the sandbox may run on the same port.
  router.get(builtFile, async ({ params: { 0: name = "" } }, response, next) => {
    const content = await readBuiltFile("pages", name);
    if (!content) return next();
    response.set("Cache-Control", "no-cache").type(name).send(content);
  });
  router.get(["/mark.svg", "/favicon.ico"], (_request, response) => {
    response.set("Cache-Control", "no-cache").type("mark.svg").send(mark);
  });
  router.use(signInRoutes(options));
  router.use(docsRoutes(options));
  router.use(confirmRoutes(options));
  router.use(checkoutRoutes(options));
  router.use(receiverRoutes(options));
  const show = showSignIn(options);
  return {
    router,
    showSignIn: (request, response, next) =>
      securityHeaders(request, response, () => show(request, response, next)),
  };
}
