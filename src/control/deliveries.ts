import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { findDelivery, retryByHand } from "../world/webhooks/deliver.js";
import { DeliveryStatus, delivery } from "../world/webhooks/delivery.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { ById, items } from "./schemas.js";
import { DeliveryView, viewDelivery } from "./view-delivery.js";

export const listDeliveries = operation({
  id: "listDeliveries",
  route: controlRoutes.listDeliveries,
  summary: "List the deliveries with all their attempts, newest first",
  auth: "control",
  query: Type.Object({
    event: Type.Optional(Type.String()),
    status: Type.Optional(DeliveryStatus),
    endpoint: Type.Optional(Type.String({ description: "Endpoint id" })),
    event_id: Type.Optional(Type.String()),
    ...paging,
  }),
  reply: { 200: items(DeliveryView) },
  refuses: ["validation_error"],

  handle: ({ account, query, sandbox }) =>
    listPage(
      account.records.newest(delivery, {
        event_id: query.event_id,
        event: query.event,
        state: query.status,
        endpoint_id: query.endpoint,
      }),
      query,
      (record) => viewDelivery(account, record, sandbox),
    ),
});

export const getDelivery = operation({
  id: "getDelivery",
  route: controlRoutes.getDelivery,
  summary: "Get a delivery with all its attempts",
  auth: "control",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => viewDelivery(account, findDelivery(account, params.id), sandbox),
});

export const retryDelivery = operation({
  id: "retryDelivery",
  route: controlRoutes.retryDelivery,
  summary: "Retry a delivery, whatever its status",
  auth: "control",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => viewDelivery(account, retryByHand(account, params.id), sandbox),
});
