/** Script of the reference: fetches the OpenAPI document, points it at this origin, and shows it with swagger-ui. */
import { samples } from "./samples.js";

export const script = `"use strict";
(async () => {
  const place = document.getElementById("reference");
  const { base, document: address, key } = place.dataset;
  const root = location.origin + base;
  const showStatus = (text) => {
    document.getElementById("reference-status").textContent = text;
  };

  // The class of swagger-ui for its dark colours.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const applyScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", applyScheme);
  applyScheme();

  showStatus("Loading …");
  const reply = await fetch(address);
  const spec = await reply.json();
  if (!reply.ok) {
    showStatus("The OpenAPI document could not be read: " + (spec.error?.message ?? reply.status));
    return;
  }
  showStatus("");

  // The policy of the page only allows calls to its own origin, whatever the name of the host.
  spec.servers = [{ url: root.slice(0, -1) }];
  const samples = ${JSON.stringify(samples)};
  const follow = (schema) => (schema?.$ref ? spec.components.schemas[schema.$ref.split("/").pop()] : schema);
  /** Returns the required fields and those with a sample. Undefined: swagger-ui makes its own example. */
  const sampleOf = ({ type, properties = {}, required = [] }) => {
    if (type !== "object") return undefined;
    const entries = Object.entries(properties).map(([name, property]) => {
      const { examples, default: byDefault, enum: allowed, const: only } = follow(property);
      const given = examples?.[0] ?? byDefault ?? allowed?.[0] ?? only;
      return [name, required.includes(name) ? (samples[name] ?? given) : (samples[name] ?? examples?.[0])];
    });
    const found = entries.filter(([, value]) => value !== undefined);
    return required.every((name) => found.some(([known]) => known === name)) ? Object.fromEntries(found) : undefined;
  };
  const sessionPaths = [];
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
        sessionPaths.push(new RegExp("^" + base.slice(0, -1) + path.replace(/\\{[^}]+\\}/g, "[^/]+") + "$"));
    }
  }

  // Tokens expire after an hour, on a clock that can be advanced. Each call therefore gets a new one.
  const withSession = async (request) => {
    const { pathname } = new URL(request.url, location.href);
    if (request.headers.Authorization || !sessionPaths.some((path) => path.test(pathname))) return request;
    const made = await fetch(root + "_sandbox/session-token", { method: "POST", headers: { "X-Service-Key": key } });
    if (made.ok) request.headers.Authorization = "Bearer " + (await made.json()).token;
    return request;
  };

  // The page already has a heading and a main element, and swagger-ui adds more of both.
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
    // Otherwise it sends the document to a validator on the internet.
    validatorUrl: null,
    requestInterceptor: withSession,
    onComplete: () => ui.preauthorizeApiKey("ApiKey", key),
  });
})();
`;
