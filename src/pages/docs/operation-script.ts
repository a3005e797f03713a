/** Part of the reference's script: draws an opened operation with swagger-ui, and its errors in groups. */
import { controlPath } from "../../contract/control-routes.js";
import { samples } from "./samples.js";

export const operationScript = `
const { base, document: address } = place.dataset;
const root = location.origin + base;
const key = document.getElementById("key");
key.value = key.value || place.dataset.key;

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};

// The class of swagger-ui for its dark colours.
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyScheme);
applyScheme();

const load = (tag) =>
  new Promise((resolve, reject) => {
    tag.addEventListener("load", resolve);
    tag.addEventListener("error", () => reject(new Error((tag.src || tag.href) + " could not be loaded.")));
    document.head.prepend(tag);
  });

const readContract = async () => {
  const reply = await fetch(address);
  const contract = await reply.json();
  if (!reply.ok) throw new Error("The OpenAPI document could not be read: " + (contract.error?.message ?? reply.status));
  // The policy of the page only allows calls to its own origin, whatever the name of the host.
  return { ...contract, servers: [{ url: root.slice(0, -1) }] };
};

let parts;
/** Loads the contract and swagger-ui, once. A failure is forgotten, so that the next operation tries again. */
const loadParts = async () => {
  parts ??= Promise.all([
    readContract(),
    load(element("script", { src: base + "docs/swagger-ui-bundle.js" })),
    load(element("link", { rel: "stylesheet", href: base + "docs/swagger-ui.css" })),
  ]);
  try {
    return (await parts)[0];
  } catch (error) {
    parts = undefined;
    throw error;
  }
};

const follow = (contract, node) =>
  node?.$ref ? node.$ref.slice(2).split("/").reduce((inside, name) => inside[name], contract) : node;

const samples = ${JSON.stringify(samples)};
/** Returns the required fields and those with a sample. Undefined: swagger-ui makes its own example. */
const sampleOf = (contract, { type, properties = {}, required = [] }) => {
  if (type !== "object") return undefined;
  const entries = Object.entries(properties).map(([name, property]) => {
    const { examples, default: byDefault, enum: allowed, const: only } = follow(contract, property);
    const given = examples?.[0] ?? byDefault ?? allowed?.[0] ?? only;
    return [name, required.includes(name) ? (samples[name] ?? given) : (samples[name] ?? examples?.[0])];
  });
  const found = entries.filter(([, value]) => value !== undefined);
  return required.every((name) => found.some(([known]) => known === name)) ? Object.fromEntries(found) : undefined;
};

const isError = ([status]) => Number(status) >= 400;

const errorsOf = (contract, { responses }) =>
  Object.entries(responses).filter(isError).flatMap(([status, response]) => {
    const [{ examples }] = Object.values(follow(contract, response).content);
    return Object.entries(examples).map(([code, example]) => ({ status, code, ...follow(contract, example) }));
  });

const operationsOf = ({ paths }) => Object.values(paths).flatMap((methods) => Object.values(methods));

/** Returns whether most operations have the error. */
const isShared = (contract, { code }) => {
  const all = operationsOf(contract);
  return all.filter((one) => errorsOf(contract, one).some((error) => error.code === code)).length > all.length / 2;
};

const drawError = ({ status, code, summary, value }) =>
  element("details", { class: "error" },
    element("summary", {}, element("span", { class: "status" }, status), " ", element("code", {}, code), " ", summary),
    element("pre", {}, element("code", {}, JSON.stringify(value, null, 2))));

const drawErrors = (contract, operation) => {
  const errors = errorsOf(contract, operation);
  const shared = errors.filter((error) => isShared(contract, error));
  const own = errors.filter((error) => !shared.includes(error));
  const common = element("details", { class: "error shared" },
    element("summary", {}, shared.length + " errors that most operations have"), ...shared.map(drawError));
  return element("section", { class: "errors" },
    element("h3", {}, "Errors"), ...own.map(drawError), ...(shared.length > 0 ? [common] : []));
};

/** Session tokens expire after an hour, on a clock that can be advanced. Each call therefore gets a new one. */
const sign = (security) => async (request) => {
  const uses = (scheme) => security.some((way) => scheme in way);
  if (uses("ApiKey") && key.value) request.headers["X-Service-Key"] = key.value;
  if (uses("SessionToken")) {
    const made = await fetch(root + "${controlPath("createSessionToken").slice(1)}", {
      method: "POST",
      headers: { "X-Service-Key": key.value },
    });
    if (made.ok) request.headers.Authorization = "Bearer " + (await made.json()).token;
  }
  return request;
};

/** The row shows method, path and summary, and the page has the headings and landmarks that swagger-ui would add. */
const operationAlone = ({ React, getComponent }) => ({
  components: { OperationAlone: () => React.createElement(getComponent("operations", true)) },
  wrapComponents: {
    OperationTag: () => ({ children }) => children,
    OperationSummary: () => () => null,
    authorizeOperationBtn: () => () => null,
  },
});

const drawOperation = async (row, body) => {
  const contract = await loadParts();
  const { path } = row.dataset;
  const all = { ...contract.paths, ...contract.webhooks };
  const [method, operation] = Object.entries(all[path]).find(([, { operationId }]) => operationId === row.id);
  // The only header of successful replies is the id of the request.
  const successes = Object.entries(operation.responses).filter((one) => !isError(one));
  const responses = successes.map(([status, response]) => [status, { ...response, headers: undefined }]);
  const shown = { ...operation, responses: Object.fromEntries(responses) };
  const json = operation.requestBody?.content["application/json"];
  const sample = json && !json.example && !json.examples && sampleOf(contract, follow(contract, json.schema));
  if (sample) {
    const content = { ...operation.requestBody.content, "application/json": { ...json, example: sample } };
    shown.requestBody = { ...operation.requestBody, content };
  }
  if (operation["x-outcomes"])
    shown.externalDocs = { url: root + "docs/values#" + row.id, description: "Outcomes and test values" };
  const { info, openapi, servers, components } = contract;
  const isCallable = path in contract.paths;
  const target = element("div", { class: "swagger-ui" });
  SwaggerUIBundle({
    domNode: target,
    spec: { openapi, info, servers, components, paths: { [isCallable ? path : "/" + path]: { [method]: shown } } },
    plugins: [operationAlone],
    layout: "OperationAlone",
    docExpansion: "full",
    tryItOutEnabled: isCallable,
    supportedSubmitMethods: isCallable ? undefined : [],
    displayRequestDuration: true,
    // Otherwise it sends the document to a validator on the internet.
    validatorUrl: null,
    requestInterceptor: sign(operation.security ?? []),
    onComplete: () => body.replaceChildren(target, ...(isCallable ? [drawErrors(contract, operation)] : [])),
  });
};
`;
