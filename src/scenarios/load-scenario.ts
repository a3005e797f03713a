/** Puts a scenario on an account: the state it starts from, its rules, and its timeline. */
import { Refusal } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { addRule, type RuleFields, removeRulesOf } from "../rules/rules.js";
import type { Account } from "../world/account.js";
import { fromIso } from "../world/time/time.js";
import type { Stage } from "./actions.js";
import { checkSameWorld, GivenProblem, makeGiven } from "./given.js";
import type { Fields, MadeRecords } from "./given-sections.js";
import { forgetLoaded, type LoadedScenario, loadedScenario, saveLoaded } from "./loaded-scenario.js";
import { resolveReferences, UnresolvedReference } from "./references.js";
import type { Scenario } from "./scenario-file.js";
import { firstDue, schedule, unschedule } from "./timeline.js";

export interface LoadOptions {
  /** Leave what is on the account; otherwise it is emptied but for its endpoints. */
  keep: boolean;
}

const loading = new WeakMap<Account, Promise<unknown>>();

/**
 * One after the other. Rejects with a GivenProblem where the state cannot be made; what was made until then stays to
 * be looked at.
 */
export async function loadScenario(
  account: Account,
  stage: Stage,
  name: string,
  scenario: Scenario,
  options: LoadOptions,
): Promise<LoadedScenario> {
  const before = loading.get(account);
  const whole = (async () => {
    await before?.catch(() => {});
    return load(account, stage, name, scenario, options);
  })();
  loading.set(account, whole);
  return whole;
}

async function load(
  account: Account,
  stage: Stage,
  name: string,
  scenario: Scenario,
  { keep }: LoadOptions,
): Promise<LoadedScenario> {
  if (account.advancing) throw new Refusal("clock_busy");
  const { given = {}, rules = [], timeline = [] } = scenario;
  if (keep) unloadScenario(account);
  else empty(account);
  const { epoch } = account;
  if (given.clock !== undefined) await setClock(account, stage, given.clock, keep);
  const made = await makeGiven(account, stage, given);
  const filled = fillRules(rules, made);
  const now = account.clock.now();
  const due = await firstDue(timeline, now);
  checkSameWorld({ account, epoch });
  return account.commit(
    "control",
    () => {
      const { name: title, description = null } = scenario;
      const loaded_at = account.clock.iso();
      const loaded: LoadedScenario = { name, title, description, loaded_at, given: made, timeline };
      saveLoaded(account, loaded);
      // The first rule of a file counts first.
      for (const rule of filled.reverse()) addRule(account, { ...rule, scenario: name });
      schedule(account, due);
      return loaded;
    },
    now,
  );
}

/** A clock that goes on from where it is does not go back, and what is due on the way runs. */
async function setClock(account: Account, stage: Stage, clock: string, keep: boolean): Promise<void> {
  if (!keep) {
    const frozen_at = fromIso(clock);
    return account.commit("control", () => account.setClock({ offset: 0, frozen_at }));
  }
  const freeze = stage.operations.find(({ id }) => id === "freezeClock") as AnyOperation;
  try {
    await stage.perform(account, freeze, { body: { at: clock } });
  } catch (error) {
    throw error instanceof Refusal ? new GivenProblem("given.clock", error) : error;
  }
}

const fillRules = (rules: NonNullable<Scenario["rules"]>, given: MadeRecords): RuleFields[] =>
  rules.map((rule, index) => {
    try {
      return resolveReferences(rule, { given }) as Fields & RuleFields;
    } catch (error) {
      throw error instanceof UnresolvedReference ? new GivenProblem(`rules.${index}`, error) : error;
    }
  });

/** Its rules and what of its timeline is still to come leave; records stay. False: none was loaded. */
export function unloadScenario(account: Account): boolean {
  return account.commit("control", () => {
    const loaded = loadedScenario(account);
    if (!loaded) return false;
    removeRulesOf(account, loaded.name);
    unschedule(account, loaded);
    return forgetLoaded(account);
  });
}

/** Whoever has told the account where its webhooks go need not do so again, nor learn another secret. */
function empty(account: Account): void {
  const { webhook_secret } = account.settings;
  const { registered } = account;
  const ofScenario = loadedScenario(account)?.given.webhooks as Fields[] | undefined;
  const isOwn = ({ id }: { id: string }) => !ofScenario?.some((made) => made.id === id);
  const endpoints = account.outbox.endpoints().filter(isOwn).reverse();
  const { random } = account;
  account.reset();
  account.commit("control", () => {
    // Drawn from the beginning, the next ids would be those of the endpoints that stay.
    if (endpoints.length > 0) account.random.state = random.state;
    if (registered) account.register();
    account.settings = { ...account.settings, webhook_secret };
    for (const endpoint of endpoints) account.outbox.save(endpoint);
  });
}
