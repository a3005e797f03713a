/** Describes steps of scenarios, and the endpoints of an account that get the events of a scenario as well. */
import { isObject } from "../../contract/json.js";
import type { Step, StepKind, StepOf } from "../../scenarios/steps.js";
import type { ScenarioState } from "../account/types.js";

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

/** Replaces references such as `${given.channels.0.id}` by what they refer to: `{channel}`. */
const withNames = (text: string): string =>
  text.replaceAll(/\$\{([^}]+)\}/g, (_found, path: string) => {
    const [first = "", section, index] = path.split(".");
    const isOneOfMany = first === "given" && section !== undefined && /^\d+$/.test(index ?? "");
    return `{${isOneOfMany ? singular(section).replaceAll("_", " ") : first}}`;
  });

/** Returns the singular of the name of a section: `channels`, `addresses`, `identity_checks`. */
const singular = (name: string): string => name.replace(/(?<=s)es$|s$/, "");

/** Describes what a step does, for steps without a title. */
export function describeStep(step: Step): string {
  const kinds = Object.keys(describers) as StepKind[];
  const kind = kinds.find((name) => Object.hasOwn(step, name)) as StepKind;
  return withNames(describers[kind](step as never));
}

/** Returns a sentence that names the endpoints of the account that the scenario has not made. Empty if there are none. */
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
