import { operation } from "./operation.js";
import { Anything } from "./schemas.js";

export const getServiceContract = operation({
  id: "getServiceContract",
  route: "GET /openapi.json",
  summary: "The service's contract, OpenAPI 3.1",
  auth: "none",
  reply: { 200: Anything },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("service", baseUrl),
});

export const getControlContract = operation({
  id: "getControlContract",
  route: "GET /_sandbox/openapi.json",
  summary: "The control API's contract, OpenAPI 3.1",
  auth: "control",
  reply: { 200: Anything },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("control", baseUrl),
});
