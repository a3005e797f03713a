/** Routes of all pages: dashboard, start page, docs, sign-in, hosted pages, and the receiver of webhooks. */
import { type RequestHandler, Router } from "express";
import helmet from "helmet";
import { type CheckoutOptions, checkoutRoutes } from "./checkout/routes.js";
import { script as checkoutScript } from "./checkout/script.js";
import { style as checkoutStyle } from "./checkout/style.js";
import { type ConfirmOptions, confirmRoutes } from "./confirm/routes.js";
import { script as confirmScript } from "./confirm/script.js";
import { style as confirmStyle } from "./confirm/style.js";
import { type DashboardOptions, dashboardRoutes } from "./dashboard/routes.js";
import { script as referenceScript } from "./docs/reference-script.js";
import { style as referenceStyle } from "./docs/reference-style.js";
import { type DocsOptions, docsRoutes } from "./docs/routes.js";
import { style as docsStyle } from "./docs/style.js";
import { mark } from "./hosted/icons.js";
import { style as hostedStyle } from "./hosted/style.js";
import { type ReceiverOptions, receiverRoutes } from "./receiver.js";
import { type SignInOptions, showSignIn, signInRoutes } from "./sign-in.js";
import { renderStartPage } from "./start-page.js";
import { palette, style } from "./style.js";

export interface PagesOptions
  extends DashboardOptions,
    ConfirmOptions,
    CheckoutOptions,
    DocsOptions,
    ReceiverOptions,
    SignInOptions {}

/** Style sheets, scripts and images of the pages, by file name. */
const files: Readonly<Record<string, string>> = {
  "theme.css": palette,
  "style.css": style,
  "docs.css": docsStyle,
  "reference.css": referenceStyle,
  "reference.js": referenceScript,
  "hosted.css": hostedStyle,
  "mark.svg": mark,
  "confirm.css": confirmStyle,
  "confirm.js": confirmScript,
  "checkout.css": checkoutStyle,
  "checkout.js": checkoutScript,
};

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
  /** Shows the page on which a browser signs in, in place of the one that was asked for. */
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
  for (const [name, content] of Object.entries(files)) {
    router.get(`/${name}`, (_request, response) => {
      // Revalidated each time, since another version of the sandbox may run on the same port.
      response.set("Cache-Control", "no-cache").type(name).send(content);
    });
  }
  router.get("/favicon.ico", (_request, response) => {
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
