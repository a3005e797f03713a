import * as Type from "typebox";
import { operation } from "../operation.js";
import { type SessionRecord, session, viewSession } from "./machine.js";
import { StreamingSession } from "./schemas.js";

/** Assumption lists. */
const mostListed = 100;

export const listStreamingSessions = operation({
  id: "listStreamingSessions",
  route: "GET /v1/streaming/sessions",
  summary: "List the most recent sessions with their billed cost",
  auth: "key",
  reply: { 200: Type.Array(StreamingSession) },
  assumptions: ["lists", "sessions", "sessions.billing"],

  handle({ account }) {
    const sessions = [];
    for (const record of account.state.newest<SessionRecord>(session.name)) {
      sessions.push(viewSession(record));
      if (sessions.length === mostListed) break;
    }
    return sessions;
  },
});
