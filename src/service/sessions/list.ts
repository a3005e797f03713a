import * as Type from "typebox";
import { operation } from "../operation.js";
import { StreamingSession } from "./schemas.js";

export const listStreamingSessions = operation({
  id: "listStreamingSessions",
  route: "GET /v1/streaming/sessions",
  summary: "List the most recent sessions with their billed cost",
  auth: "key",
  reply: { 200: Type.Array(StreamingSession) },
  assumptions: ["lists"],
});
