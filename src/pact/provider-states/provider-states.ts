/** Every provider state on one screen, and how an account is brought into one. */
import { closest, distance } from "fastest-levenshtein";
import { compileValidator, detailsOf } from "../../contract/validate.js";
import type { Stage } from "../../scenarios/actions.js";
import { GivenProblem, makeGiven } from "../../scenarios/given.js";
import type { Account } from "../../world/account.js";
import { businessStates } from "./business-states.js";
import type { ProviderState, Values } from "./define-state.js";
import { mediaStates } from "./media-states.js";
import { peopleStates } from "./people-states.js";
import { serviceStates } from "./service-states.js";

export const providerStates: readonly ProviderState[] = [
  ...peopleStates,
  ...serviceStates,
  ...mediaStates,
  ...businessStates,
];

/** A state that is not known, parameters that are wrong, or a state that cannot be: the message says what would be right. */
export class NoState extends Error {
  constructor(sentence: string) {
    super(/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
  }
}

/** Brings the account into the state; what consumers may refer to. Rejects with NoState. */
export async function setUp(
  account: Account,
  stage: Stage,
  name: string,
  params: Record<string, unknown>,
): Promise<Values> {
  const found = providerStates.find((state) => state.name === name.trim());
  if (!found)
    throw new NoState(`there is no provider state ${JSON.stringify(name)}; the nearest are ${nearest(name)}`);
  const validate = await compileValidator(found.params, "json");
  if (!validate(params)) {
    const why = detailsOf(validate).map(({ message }) => message.replace(/\.$/, ""));
    throw new NoState(
      `${name}: ${why.join("; ")} (its parameters are ${Object.keys(found.params.properties).join(", ") || "none"})`,
    );
  }
  try {
    const made = await makeGiven(account, stage, found.given(params, account));
    return await found.finish({ account, stage, made }, params);
  } catch (error) {
    const reason = error instanceof GivenProblem ? error.reason : error;
    throw new NoState(`${name} cannot be set up: ${(reason as Error).message}`);
  }
}

const nearest = (name: string): string => {
  const names = providerStates.map((state) => state.name);
  const sorted = [...names].sort((a, b) => distance(name, a) - distance(name, b));
  return [closest(name, names), ...sorted.slice(1, 3)].map((one) => JSON.stringify(one)).join(", ");
};
