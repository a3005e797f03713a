/** The pages, on Express. Until the dashboard stands, the start page says what a newcomer needs. */
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from "express";
import helmet from "helmet";
import { type CheckoutOptions, checkoutRoutes } from "./checkout/routes.js";
import { script as checkoutScript } from "./checkout/script.js";
import { style as checkoutStyle } from "./checkout/style.js";
import { type ConfirmOptions, confirmRoutes } from "./confirm/routes.js";
import { script as confirmScript } from "./confirm/script.js";
import { style as confirmStyle } from "./confirm/style.js";
import { script as referenceScript } from "./docs/reference-script.js";
import { style as referenceStyle } from "./docs/reference-style.js";
import { type DocsOptions, docsRoutes } from "./docs/routes.js";
import { style as docsStyle } from "./docs/style.js";
import { mark } from "./hosted/icons.js";
import { style as hostedStyle } from "./hosted/style.js";
import { renderStartPage, type StartPage } from "./start-page.js";
import { style } from "./style.js";

export interface PagesOptions extends ConfirmOptions, CheckoutOptions, DocsOptions {
  startPage(): StartPage;
  /** Answers with an error that is a Refusal, or with a 500. */
  refuse(request: Request, response: Response, error: unknown): void;
  unknownPath(path: string): Error;
}

/** What pages are made of beside their HTML, by file name. */
const files: Readonly<Record<string, string>> = {
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

export function createPages(options: PagesOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: ["'self'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
        },
      },
      strictTransportSecurity: false,
    }),
  );
  app.get("/", (request, response) => {
    options.guard(request, response);
    response.type("html").send(renderStartPage(options.startPage()));
  });
  for (const [name, content] of Object.entries(files)) {
    app.get(`/${name}`, (_request, response) => {
      // The next version of the sandbox may run on the same port.
      response.set("Cache-Control", "no-cache").type(name).send(content);
    });
  }
  app.use(docsRoutes(options));
  app.use(confirmRoutes(options));
  app.use(checkoutRoutes(options));
  app.use((request, _response) => {
    throw options.unknownPath(request.path);
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) =>
    options.refuse(request, response, error);
  app.use(onError);
  return app;
}
