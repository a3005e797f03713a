import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { ById, items } from "./schemas.js";
import { RequestView, viewRequest } from "./view-request.js";

export const listRequests = operation({
  id: "listRequests",
  route: controlRoutes.listRequests,
  summary: "List the last 1,000 requests of the account, last answered first, with secrets redacted",
  auth: "control",
  query: Type.Object({
    operation: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer()),
    ...paging,
  }),
  reply: { 200: items(RequestView) },
  refuses: ["validation_error"],

  handle: async ({ account, query }) =>
    listPage(
      await account.requests.list(),
      query,
      viewRequest,
      ({ operation, status }) =>
        operation === (query.operation ?? operation) && status === (query.status ?? status),
    ),
});

export const getRequest = operation({
  id: "getRequest",
  route: controlRoutes.getRequest,
  summary: "Get one of the last 1,000 requests by its X-Request-Id, with secrets redacted",
  auth: "control",
  params: ById,
  reply: { 200: RequestView },
  refuses: ["resource_not_found"],

  async handle({ account, params: { id }, refuse }) {
    const entry = (await account.requests.list()).find((one) => one.id === id);
    if (entry) return viewRequest(entry);
    const message = `There is no request ${JSON.stringify(id.slice(0, 100))} among the last 1,000 of this account.`;
    return refuse("resource_not_found", { param: "id", message });
  },
});
