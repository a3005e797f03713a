/** The page on which a browser signs in with the admin token. Other clients get a refusal instead. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { type Html, html } from "../documents/html.js";
import { renderDocsPage } from "./docs/layout.js";
import { readHostedForm } from "./hosted/problem.js";

export interface SignInOptions {
  /** Throws a Refusal for requests of other hosts and of pages of other sites. */
  guardOrigin(request: Request): void;
  signIn: {
    /** Whether there is a token to sign in with. */
    hasToken(): boolean;
    /** Returns the header Set-Cookie for the browser of a person who knows the token, or null if it is wrong. */
    cookieFor(request: Request, token: string): string | null;
  };
}

const closed = html`<p>The sandbox is bound to an address beyond this machine and has no admin token, so nobody can sign in.</p>
<p>Start it with <code>--admin-token</code> or <code>STANDIN_ADMIN_TOKEN</code> to use the control API and this page, or with
<code>--control open</code> to let in everybody who reaches it.</p>`;

const formFor = (
  path: string,
  wrong: boolean,
): Html => html`<form class="sign-in" method="post" action="/sign-in">
<input type="hidden" name="to" value="${path}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${
  wrong ? html` aria-invalid="true" aria-describedby="wrong"` : ""
}>
${wrong ? html`<p class="field-error" id="wrong" role="alert">This is not the token that the sandbox was started with.</p>` : ""}<button class="button primary">Sign in</button>
</form>
<p>Enter the token of <code>--admin-token</code> or <code>STANDIN_ADMIN_TOKEN</code>. Programs send it in the header
<code>X-Sandbox-Admin</code>.</p>`;

function send(response: Response, { signIn }: SignInOptions, path: string, wrong = false): void {
  const title = signIn.hasToken() ? "Sign in" : "The control API is closed";
  const main = html`<h1>${title}</h1>
${signIn.hasToken() ? formFor(path, wrong) : closed}`;
  const { basePath } = response.req.context;
  // Without a referrer, browsers give the form the origin "null", which is refused.
  response.status(401).set({ "Cache-Control": "no-store", "Referrer-Policy": "same-origin" }).type("html");
  response.send(renderDocsPage({ title, path: "/sign-in", main }, basePath));
}

/** Shows the sign-in page, which leads back to the requested page. */
export const showSignIn =
  (options: SignInOptions): RequestHandler =>
  ({ context }, response) =>
    send(response, options, context.target);

/** Returns whether a text is a path of the sandbox. Browsers take `//host` and `/\host` for another host. */
const isOwnPath = (text: unknown): text is string =>
  typeof text === "string" && /^\/(?![/\\])[\x21-\x7e]*$/.test(text);

export function signInRoutes(options: SignInOptions): Router {
  const router = Router();
  router.post("/sign-in", readHostedForm, (request, response) => {
    options.guardOrigin(request);
    const { to, token } = request.body as Record<string, unknown>;
    const path = isOwnPath(to) ? to : "/";
    const cookie = options.signIn.cookieFor(request, String(token ?? ""));
    if (cookie === null) return send(response, options, path, true);
    response.set("Set-Cookie", cookie).redirect(303, `${request.context.basePath}${path}`);
  });
  return router;
}
