/** Describes steps of scenarios, and the endpoints of an account that also receive the events of a scenario. */
import { isObject } from "../../contract/json.js";
import type { Step, StepKind, StepOf } from "../../scenarios/steps.js";
import type { ScenarioState } from "../account/types.js";

const channelMessages = { sms: "An SMS", chat: "A chat message", email: "An e-mail" } as const;

const describers: { [K in StepKind]: (step: StepOf<K>) => string } = {
  call: ({ call }) => call,
  advance: ({ advance }) =>
    advance === "next" ? "The clock goes to the next due job" : `The clock is advanced by ${advance}`,
  receive: ({ receive: { answers = [204] } }) => `A receiver answers ${answers.join(", ")}`,
  webhook: ({ webhook }) => `The webhook ${webhook} is sent`,
  inbox: ({ inbox: { channel, to } }) =>
    `${channel === undefined ? "A message" : channelMessages[channel]} was sent${to === undefined ? "" : ` to ${to}`}`,
  reply: ({ reply: { from, text } }) => `${from} writes ${JSON.stringify(text)}`,
  pay: ({ pay: { card, second_step } }) =>
    card === undefined
      ? `The customer answers the second step: ${second_step}`
      : `The customer pays with the card ${card}`,
  visit: ({ visit: { latitude, longitude } }) => `The person is at ${latitude}, ${longitude}`,
  move: ({ move, id }) => `By hand: ${move.replaceAll("_", " ")} ${id}`,
  record: ({ record }) => `Read the record ${record}`,
  control: ({ control }) => `${control} of the control API`,
};

/** Replaces references such as `${given.channels.0.id}` with the name of what they refer to: `{channel}`. */
const withNames = (text: string): string =>
  text.replaceAll(/\$\{([^}]+)\}/g, (_found, path: string) => {
    const [first = "", section, index] = path.split(".");
    const isOneOfMany = first === "given" && section !== undefined && /^\d+$/.test(index ?? "");
    return `{${isOneOfMany ? singular(section).replaceAll("_", " ") : first}}`;
  });

/** Returns the singular of the name of a section: `channels`, `addresses`, `identity_checks`, `people`. */
export const singular = (name: string): string =>
  name === "people" ? "person" : name.replace(/(?<=s)es$|s$/, "");

/** Describes what a step does, for steps without a title. */
export function describeStep(step: Step): string {
  const kinds = Object.keys(describers) as StepKind[];
  const kind = kinds.find((name) => Object.hasOwn(step, name)) as StepKind;
  return withNames(describers[kind](step as never));
}

/** Returns a sentence that names the endpoints of the account that do not come from the scenario. Empty if there are none. */
export function describeOtherEndpoints(
  { given }: Pick<ScenarioState, "given">,
  endpoints: readonly { id: string; url: string }[],
): string {
  const made = Array.isArray(given.webhooks)
    ? given.webhooks.map((endpoint: unknown) => isObject(endpoint) && endpoint.id)
    : [];
  const others = endpoints.filter(({ id }) => !made.includes(id)).map(({ url }) => url);
  if (others.length === 0) return "";
  const which = others.length === 1 ? "an endpoint" : "endpoints";
  return `Its events also go to ${others.join(", ")}: ${which} of the account, which loading keeps.`;
}
