/** The pages, on Express. Until the dashboard stands, the start page says what a newcomer needs. */
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from "express";
import helmet from "helmet";
import { renderStartPage, type StartPage } from "./start-page.js";
import { style } from "./style.js";

export interface PagesOptions {
  startPage(): StartPage;
  /** Throws a Refusal where the tester's pages may not be shown. */
  guard(request: Request, response: Response): void;
  /** Answers with an error that is a Refusal, or with a 500. */
  refuse(request: Request, response: Response, error: unknown): void;
  unknownPath(path: string): Error;
}

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
  app.get("/style.css", (_request, response) => {
    response.type("css").send(style);
  });
  app.use((request, _response) => {
    throw options.unknownPath(request.path);
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) =>
    options.refuse(request, response, error);
  app.use(onError);
  return app;
}
