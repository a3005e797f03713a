/** What runs on the pages of the reference: fetches the document, points it at this origin, and draws it. */
import { samples } from "./samples.js";

export const script = `"use strict";
(async () => {
  const place = document.getElementById("reference");
  const { base, document: address, key } = place.dataset;
  const root = location.origin + base;
  const say = (text) => {
    document.getElementById("reference-says").textContent = text;
  };

  // swagger-ui has its dark colours under this class.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", paint);
  paint();

  say("Loading …");
  const reply = await fetch(address);
  const spec = await reply.json();
  if (!reply.ok) {
    say("The document could not be read: " + (spec.error?.message ?? reply.status));
    return;
  }
  say("");

  // The page may call the origin that it came from and no other, whatever name that goes by.
  spec.servers = [{ url: root.slice(0, -1) }];
  const samples = ${JSON.stringify(samples)};
  const follow = (schema) => (schema?.$ref ? spec.components.schemas[schema.$ref.split("/").pop()] : schema);
  /** What must be there and what has a sample; undefined leaves all to swagger-ui. */
  const sampleOf = ({ type, properties = {}, required = [] }) => {
    if (type !== "object") return undefined;
    const entries = Object.entries(properties).map(([name, property]) => {
      const { examples, default: usual, enum: allowed, const: only } = follow(property);
      const given = examples?.[0] ?? usual ?? allowed?.[0] ?? only;
      return [name, required.includes(name) ? (samples[name] ?? given) : (samples[name] ?? examples?.[0])];
    });
    const found = entries.filter(([, value]) => value !== undefined);
    return required.every((name) => found.some(([known]) => known === name)) ? Object.fromEntries(found) : undefined;
  };
  const ofSession = [];
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const operation of Object.values(methods)) {
      const json = operation.requestBody?.content["application/json"];
      const sample = json && sampleOf(follow(json.schema));
      if (sample && !json.example && !json.examples) json.example = sample;
      if (operation["x-outcomes"])
        operation.externalDocs = {
          url: root + "docs/values#" + operation.operationId,
          description: "Outcomes and test values",
        };
      if (operation.security?.some((way) => "SessionToken" in way))
        ofSession.push(new RegExp("^" + base.slice(0, -1) + path.replace(/\\{[^}]+\\}/g, "[^/]+") + "$"));
    }
  }

  // Tokens end an hour after they were made, on a clock that may be moved: each call gets its own.
  const withSession = async (request) => {
    const { pathname } = new URL(request.url, location.href);
    if (request.headers.Authorization || !ofSession.some((path) => path.test(pathname))) return request;
    const made = await fetch(root + "_sandbox/session-token", { method: "POST", headers: { "X-Service-Key": key } });
    if (made.ok) request.headers.Authorization = "Bearer " + (await made.json()).token;
    return request;
  };

  // The page has its heading and its main part already, and swagger-ui brings others.
  const withoutInfo = () => ({ wrapComponents: { InfoContainer: () => () => null } });
  new MutationObserver(() => {
    for (const inner of place.querySelectorAll("main:not([role])")) inner.setAttribute("role", "group");
    place.querySelector("section.models > h4:not([aria-level])")?.setAttribute("aria-level", "3");
  }).observe(place, { childList: true, subtree: true });

  const ui = SwaggerUIBundle({
    domNode: place,
    spec,
    plugins: [withoutInfo],
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Otherwise it asks a validator on the internet about the document.
    validatorUrl: null,
    requestInterceptor: withSession,
    onComplete: () => ui.preauthorizeApiKey("ApiKey", key),
  });
})();
`;
