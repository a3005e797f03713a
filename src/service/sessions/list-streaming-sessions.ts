import * as Type from "typebox";
import { newestRecords } from "../account-records.js";
import { operation } from "../operation.js";
import { session } from "./machine.js";
import { StreamingSession } from "./schemas.js";

export const listStreamingSessions = operation({
  id: "listStreamingSessions",
  route: "GET /v1/streaming/sessions",
  summary: "List the most recent sessions with their billed cost",
  description: "Most recent first. A session has a cost once it is completed.",
  auth: "key",
  reply: { 200: Type.Array(StreamingSession) },
  assumptions: ["lists", "sessions", "sessions.billing"],

  handle: ({ account }) => newestRecords(account, session).map(session.view),
});
