/** Loads a scenario onto an account: its initial state, its rules and its timeline. */
import { Refusal } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { addRule, type RuleFields, removeRulesOf } from "../rules/rules.js";
import { fromIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { emptyAccount } from "../world/account/replace-state.js";
import type { Activity } from "../world/activity/activity.js";
import { describeAction, type Stage } from "./actions.js";
import { checkEpoch, GivenProblem, makeGiven } from "./given.js";
import type { Fields, MadeRecords } from "./given-sections.js";
import {
  cancelTimeline,
  firstDue,
  forgetLoaded,
  type LoadedScenario,
  loadedScenario,
  saveLoaded,
  scheduleTimeline,
} from "./loaded-scenario.js";
import { resolveReferences, UnresolvedReference } from "./references.js";
import type { Scenario } from "./scenario-file.js";

export interface LoadOptions {
  /** Keeps the state of the account. Otherwise the account is emptied, except for its endpoints. */
  keep: boolean;
  /** The request that loads the scenario, or null. */
  activity: Activity | null;
}

const loading = new WeakMap<Account, Promise<unknown>>();

/**
 * Loads a scenario, once other scenarios have been loaded onto the account. Rejects with a GivenProblem when a record cannot
 * be made; the records made until then are kept for inspection.
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
  { keep, activity }: LoadOptions,
): Promise<LoadedScenario> {
  if (account.advancing) throw new Refusal("clock_busy");
  const { given = {}, rules = [], timeline = [] } = scenario;
  if (keep) unloadScenario(account);
  else resetForScenario(account);
  const { epoch } = account;
  if (given.clock !== undefined) await setClock(account, stage, given.clock, keep);
  const made = await makeGiven(account, stage, given);
  const filled = fillRules(rules, made);
  const now = account.clock.now();
  const due = await firstDue(timeline, now);
  const says = timeline.map(({ do: action }) => describeAction(stage.operations, action));
  checkEpoch({ account, epoch });
  const finish = () => {
    const { name: title, description = null } = scenario;
    const loaded_at = account.clock.iso();
    const loaded: LoadedScenario = { name, title, description, loaded_at, given: made, timeline, says };
    saveLoaded(account, loaded);
    // The newest rule is tried first, so the file's first rule is added last.
    for (const rule of filled.reverse()) addRule(account, { ...rule, scenario: name });
    scheduleTimeline(account, due);
    return loaded;
  };
  return account.activities.within(activity, () => account.commit("control", finish, now));
}

/** Sets the clock. With `keep`, the clock is advanced, which runs the jobs due on the way, and never goes back. */
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

/** Removes the rules and the timeline of the loaded scenario; records stay. Returns false when none was loaded. */
export function unloadScenario(account: Account): boolean {
  return account.commit("control", () => {
    const loaded = loadedScenario(account);
    if (!loaded) return false;
    removeRulesOf(account, loaded.name);
    cancelTimeline(account, loaded);
    return forgetLoaded(account);
  });
}

/** Resets the account but keeps its registration, webhook secret, fixed code, and endpoints, except for the endpoints of the old scenario. */
function resetForScenario(account: Account): void {
  const { webhook_secret, code = null } = account.settings;
  const { registered } = account;
  const ofScenario = loadedScenario(account)?.given.webhooks as Fields[] | undefined;
  const isOwn = ({ id }: { id: string }) => !ofScenario?.some((made) => made.id === id);
  const endpoints = account.outbox.endpoints().filter(isOwn).reverse();
  const { random } = account;
  emptyAccount(account);
  account.commit("control", () => {
    // From a reset sequence, new ids would collide with the ids of the kept endpoints.
    if (endpoints.length > 0) account.random.state = random.state;
    if (registered) account.own.register();
    account.settings = { ...account.settings, webhook_secret, code };
    for (const endpoint of endpoints) account.outbox.save(endpoint);
  });
}
