import type { Step, StepKind, StepOf } from "../../scenarios/steps.js";

const describers: { [K in StepKind]: (step: StepOf<K>) => string } = {
  call: ({ call }) => call,
  advance: ({ advance }) =>
    advance === "next" ? "advance to the next due job" : `advance the clock: ${advance}`,
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

/** Describes what a step does, for steps without a title. */
export const describeStep = (step: Step, kind: StepKind): string => describers[kind](step as never);
