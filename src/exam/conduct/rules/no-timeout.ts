import { second } from "../../../time/time.js";
import type { ConductRule } from "../rule.js";

const maxWaitMs = 60 * second;

export const noTimeout: ConductRule = {
  id: "no-timeout",
  title: "A reply is waited for without a time limit",
  reason: "A service that hangs takes the client down with it, one waiting request after the other.",
  right: "Set a timeout of at most 60 s on every request, and handle it like a lost reply.",
  judge: ({ calls }) =>
    calls.flatMap((call) => {
      const { duration_ms: ms, status, asked_fault: fault } = call.entry;
      if (status === null || ms === null || ms <= maxWaitMs || !/latency=|reply_after=/.test(fault ?? ""))
        return [];
      const happened = `It waited ${Math.round(ms / second)} s for its reply.`;
      return [{ about: call.operation, happened, evidence: [call.id] }];
    }),
};
