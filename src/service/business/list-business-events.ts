import * as Type from "typebox";
import { exactly } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { activity } from "./activity.js";
import { BusinessEvent } from "./schemas.js";

export const listBusinessEvents = operation({
  id: "listBusinessEvents",
  route: "GET /v1/business/events",
  summary: "Read the activity log of the business",
  auth: "key",
  reply: { 200: exactly({ events: Type.Array(BusinessEvent) }) },
  assumptions: ["lists", "business.events"],
  handle: ({ account }) => ({ events: activity(account) }),
});
