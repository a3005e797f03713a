/** Defines provider states: how an account is set up, and the values that consumers may refer to. */
import type { TObject } from "typebox";
import * as Type from "typebox";
import type { Stage } from "../../scenarios/actions.js";
import type { GivenRecords } from "../../scenarios/given.js";
import type { Fields, MadeRecords } from "../../scenarios/given-sections.js";
import type { EventKind } from "../../service/webhooks/events.js";
import type { Account } from "../../world/account/account.js";

export type StateValues = Record<string, string | number | boolean | null>;

export interface StateContext {
  account: Account;
  stage: Stage;
  /** Replies of the operations that `given` ran, by section. */
  made: MadeRecords;
}

export interface ProviderState<Name extends string = string> {
  /** The name that consumers use, such as `a locked phone verification`. */
  name: Name;
  description: string;
  params: TObject;
  /** Values for `fromProviderState`: their descriptions, by name. */
  values: Readonly<Record<string, string>>;
  /** Kinds of the events that setting up the state causes. */
  events: readonly EventKind[];
  /** Returns the records to create. Throws if the parameters do not suit the account. */
  given(params: Record<string, unknown>, account: Account): GivenRecords;
  /** Makes the changes that `given` cannot express, and returns the values. */
  finish(context: StateContext, params: Record<string, unknown>): Promise<StateValues> | StateValues;
}

interface StateSpec<P extends Type.TProperties> {
  description: string;
  /** Parameters. Every parameter is optional. */
  params?: P;
  values?: Readonly<Record<string, string>>;
  events?: readonly EventKind[];
  given?(params: Partial<Type.Static<TObject<P>>>, account: Account): GivenRecords;
  finish?(
    context: StateContext,
    params: Partial<Type.Static<TObject<P>>>,
  ): Promise<StateValues> | StateValues;
}

export function providerState<const Name extends string, P extends Type.TProperties = Record<never, never>>(
  name: Name,
  spec: StateSpec<P>,
): ProviderState<Name> {
  const { description, params, values = {}, events = [], given = () => ({}), finish = () => ({}) } = spec;
  const optional = Object.entries(params ?? {}).map(([field, schema]) => [field, Type.Optional(schema)]);
  return {
    name,
    description,
    params: Type.Object(Object.fromEntries(optional), { additionalProperties: false }),
    values,
    events,
    given: given as ProviderState["given"],
    finish: finish as ProviderState["finish"],
  };
}

/** Returns a field of the first record that a section created. */
export function firstOf({ made }: StateContext, section: string, field: string): string {
  const [first] = made[section] as readonly Fields[];
  return String(first?.[field]);
}

/**
 * Returns a `finish` function that takes each value from the first record of a section, such as `{ id: "audits.id"
 * }`.
 */
export const valuesFrom =
  <Name extends string>(sources: Readonly<Record<Name, `${string}.${string}`>>) =>
  (context: StateContext): Record<Name, string> =>
    Object.fromEntries(
      Object.entries<string>(sources).map(([name, source]) => {
        const [section = "", field = ""] = source.split(".");
        return [name, firstOf(context, section, field)];
      }),
    ) as Record<Name, string>;
