import { controlRoutes } from "../contract/control-routes.js";
import { operation } from "./operation.js";
import { OpaqueObject } from "./schemas.js";

export const getServiceContract = operation({
  id: "getServiceContract",
  route: controlRoutes.getServiceContract,
  summary: "Get the service's contract as OpenAPI 3.1",
  auth: "none",
  reply: { 200: OpaqueObject },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("service", baseUrl),
});

export const getControlContract = operation({
  id: "getControlContract",
  route: controlRoutes.getControlContract,
  summary: "Get the control API's contract as OpenAPI 3.1",
  auth: "control",
  reply: { 200: OpaqueObject },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("control", baseUrl),
});
