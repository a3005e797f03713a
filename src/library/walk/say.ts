/** What a step does, in words, where its author says nothing. */
import type { Step, StepKind, StepOf } from "../../scenarios/steps.js";

const sayings: { [K in StepKind]: (step: StepOf<K>) => string } = {
  call: ({ call }) => call,
  advance: ({ advance }) =>
    advance === "next" ? "on to what is due next" : `the clock moves on: ${advance}`,
  receive: ({ receive: { answers = [204] } }) => `a receiver that answers ${answers.join(", ")}`,
  webhook: ({ webhook }) => `webhook ${webhook}`,
  inbox: ({ inbox: { channel = "message", to } }) => `a ${channel}${to === undefined ? "" : ` to ${to}`}`,
  reply: ({ reply: { from, text } }) => `${from} writes ${JSON.stringify(text)}`,
  pay: ({ pay: { card, second_step } }) =>
    card === undefined ? `second step: ${second_step}` : `card ${card}`,
  visit: ({ visit: { latitude, longitude } }) => `the person is at ${latitude}, ${longitude}`,
  move: ({ move, id }) => `move ${move} of ${id}`,
  record: ({ record }) => `record ${record}`,
  control: ({ control }) => `control ${control}`,
};

export const sayStep = (step: Step, kind: StepKind): string => sayings[kind](step as never);
