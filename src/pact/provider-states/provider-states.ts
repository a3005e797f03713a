/** The catalogue of provider states, and their set-up on an account. */

import type { TSchema } from "typebox";
import { jsonOrText } from "../../contract/json.js";
import { formatNearest, nearestNames } from "../../contract/nearest.js";
import { compileValidator, detailsOf } from "../../contract/validate.js";
import type { Stage } from "../../scenarios/actions.js";
import { GivenProblem, makeGiven } from "../../scenarios/given.js";
import type { EventKind } from "../../service/webhooks/events.js";
import type { Account } from "../../world/account/account.js";
import { businessStates } from "./business-states.js";
import type { ProviderState, StateValues } from "./define-state.js";
import { channelStates, peopleStates } from "./people-states.js";
import { mediaStates, serviceStates } from "./service-states.js";

const catalogue = [
  ...peopleStates,
  ...serviceStates,
  ...channelStates,
  ...mediaStates,
  ...businessStates,
] as const;

export type ProviderStateName = (typeof catalogue)[number]["name"];

export const providerStates: readonly ProviderState<ProviderStateName>[] = catalogue;

/** Returns what users see of the states. */
export const describeStates = () =>
  providerStates.map(({ name, description, params, values, events }) => ({
    name,
    description,
    params,
    values,
    events: [...events],
  }));

/** A state does not exist, its parameters are wrong, or it cannot be set up. The message suggests a correction. */
export class ProviderStateError extends Error {
  constructor(sentence: string) {
    super(/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
  }
}

function findState(name: string): ProviderState {
  const found = providerStates.find((state) => state.name === name.trim());
  if (found) return found;
  const known = providerStates.map((state) => JSON.stringify(state.name));
  const quoted = JSON.stringify(name);
  const fitting = statesAbout(name).map((fit) => JSON.stringify(fit));
  if (fitting.length > 0 && nearestNames(quoted, known).length === 0)
    throw new ProviderStateError(
      `there is no provider state ${quoted}; these may fit: ${fitting.join(", ")}`,
    );
  const nearest = formatNearest(quoted, known, { limit: 3, maxDistance: Number.POSITIVE_INFINITY });
  throw new ProviderStateError(`there is no provider state ${quoted}${nearest}`);
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replaceAll("_", " ")
      .toLowerCase()
      .match(/[a-z]{3,}/g)
      ?.map((word) => word.replace(/s$/, "")),
  );

/** Maximum number of states that are suggested. */
const maxFitting = 3;

/** Returns the names of the states that share the most words with a text. Words that few states have count more. */
function statesAbout(text: string): string[] {
  const states = providerStates.map(({ name, description, params, values }) => {
    const fields = [params.properties, values].flatMap((named) => Object.keys(named));
    return { name, words: wordsOf([name, description, ...fields, ...Object.values(values)].join(" ")) };
  });
  const weighted = [...wordsOf(text)].map((word) => {
    const count = states.filter(({ words }) => words.has(word)).length;
    return { word, weight: count === 0 ? 0 : 1 / count };
  });
  return states
    .map(({ name, words }) => ({
      name,
      score: weighted.reduce((sum, { word, weight }) => sum + (words.has(word) ? weight : 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxFitting)
    .map(({ name }) => name);
}

/** Returns the names of the states that cause the event with as few other events as possible. */
export function statesWithEvent(kind: EventKind): ProviderStateName[] {
  const states = providerStates.filter(({ events }) => events.includes(kind));
  const fewest = Math.min(...states.map(({ events }) => events.length));
  return states.filter(({ events }) => events.length === fewest).map(({ name }) => name);
}

/** Returns the state's values for `fromProviderState`. Rejects with a ProviderStateError. */
export async function setUpState(
  account: Account,
  stage: Stage,
  name: string,
  params: Record<string, unknown>,
): Promise<StateValues> {
  const state = findState(name);
  const validate = await compileValidator(state.params);
  if (!validate(params)) {
    const problems = detailsOf(validate).map(({ message }) => message.replace(/\.$/, ""));
    const known = Object.keys(state.params.properties).join(", ") || "none";
    throw new ProviderStateError(`${name}: ${problems.join("; ")} (its parameters are ${known})`);
  }
  try {
    const made = await makeGiven(account, stage, state.given(params, account));
    return await state.finish({ account, stage, made }, params);
  } catch (error) {
    const reason = error instanceof GivenProblem ? error.reason : error;
    throw new ProviderStateError(`${name} cannot be set up: ${(reason as Error).message}`);
  }
}

export interface StateChange {
  action?: string;
  state?: string | null;
  params?: Record<string, unknown>;
}

/** Reads the state change that a verifier requests: in the body, or with --state-change-as-query in the query. */
export function readStateChange(body: string, query: string): StateChange {
  if (body !== "") return JSON.parse(body) as StateChange;
  const { action, state, ...params } = Object.fromEntries(new URLSearchParams(query));
  const schemas = providerStates.find(({ name }) => name === state)?.params.properties ?? {};
  return {
    ...(action === undefined ? {} : { action }),
    ...(state === undefined ? {} : { state }),
    params: Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, parseParam(schemas[name], text)]),
    ),
  };
}

/** Verifiers write texts as they are, and all other values as JSON. */
function parseParam(schema: TSchema | undefined, text: string): unknown {
  return !schema || "enum" in schema || ("type" in schema && schema.type === "string")
    ? text
    : jsonOrText(text);
}
