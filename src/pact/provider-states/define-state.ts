/** What a provider state of a Pact is here: a `given` of a scenario, and the values that consumers may refer to. */
import type { TObject } from "typebox";
import * as Type from "typebox";
import type { Stage } from "../../scenarios/actions.js";
import type { Given } from "../../scenarios/given.js";
import type { MadeRecords } from "../../scenarios/given-sections.js";
import type { Account } from "../../world/account.js";

export type Values = Record<string, string | number | boolean | null>;

export interface Setting {
  account: Account;
  stage: Stage;
  made: MadeRecords;
}

export interface ProviderState {
  /** As a consumer writes it: `a locked phone verification`. */
  name: string;
  description: string;
  params: TObject;
  /** What `fromProviderState` finds, by name: what each is. */
  values: Readonly<Record<string, string>>;
  /** Throws what is wrong with the parameters on this account. */
  given(params: Record<string, unknown>, account: Account): Given;
  /** Moves beyond what a given can say, and the values. */
  finish(setting: Setting, params: Record<string, unknown>): Promise<Values> | Values;
}

interface StateSpec<P extends Type.TProperties> {
  description: string;
  /** Each is optional: a state that is named alone sets itself up. */
  params?: P;
  values?: Readonly<Record<string, string>>;
  given?(params: Partial<Type.Static<TObject<P>>>, account: Account): Given;
  finish?(setting: Setting, params: Partial<Type.Static<TObject<P>>>): Promise<Values> | Values;
}

export function state<P extends Type.TProperties = Record<never, never>>(
  name: string,
  spec: StateSpec<P>,
): ProviderState {
  const { description, params, values = {}, given = () => ({}), finish = () => ({}) } = spec;
  const optional = Object.entries(params ?? {}).map(([field, schema]) => [field, Type.Optional(schema)]);
  return {
    name,
    description,
    params: Type.Object(Object.fromEntries(optional), { additionalProperties: false }),
    values,
    given: given as ProviderState["given"],
    finish: finish as ProviderState["finish"],
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A field of the first thing that a section made. */
export function firstOf({ made }: Setting, section: string, field: string): string {
  const [first] = made[section] as readonly Fields[];
  return String(first?.[field]);
}

/** Without what is not given, so that a section's own defaults count. */
export const some = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
