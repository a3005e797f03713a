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

/** A value: its description and, unless `finish` returns the value, the field of the first record that has it, such as `audits.id`. */
type ValueSpec = string | readonly [description: string, source: `${string}.${string}`];

/** A row of the table of provider states. */
interface StateSpec<P extends Type.TProperties, Name extends string> {
  description: string;
  /** Parameters. Every parameter is optional. */
  params?: P;
  values?: Readonly<Record<Name, ValueSpec>>;
  events?: readonly EventKind[];
  given?(params: Partial<Type.Static<TObject<P>>>, account: Account): GivenRecords;
  /** Makes the changes that `given` cannot express. Returns the values that no record has as a field. */
  finish?(
    context: StateContext,
    params: Partial<Type.Static<TObject<P>>>,
    values: Readonly<Record<Name, string>>,
  ): Promise<StateValues | undefined> | StateValues | undefined;
}

export function providerState<
  const Name extends string,
  P extends Type.TProperties = Record<never, never>,
  Value extends string = never,
>(
  name: Name,
  { description, params, values, events = [], given = () => ({}), finish }: StateSpec<P, Value>,
): ProviderState<Name> {
  const optional = Object.entries(params ?? {}).map(([field, schema]) => [field, Type.Optional(schema)]);
  const specs = Object.entries<ValueSpec>(values ?? {});
  return {
    name,
    description,
    params: Type.Object(Object.fromEntries(optional), { additionalProperties: false }),
    values: Object.fromEntries(
      specs.map(([value, spec]) => [value, typeof spec === "string" ? spec : spec[0]]),
    ),
    events,
    given: given as ProviderState["given"],
    async finish(context, given) {
      const made = Object.fromEntries(
        specs.flatMap(([value, spec]) =>
          typeof spec === "string" ? [] : [[value, fieldAt(context, spec[1])]],
        ),
      );
      return { ...made, ...(await finish?.(context, given as never, made as never)) };
    },
  };
}

/** Returns a field of the first record that a section created, such as `audits.id`. */
export function fieldAt({ made }: StateContext, source: `${string}.${string}`): string {
  const [section = "", field = ""] = source.split(".");
  const [first] = made[section] as readonly Fields[];
  return String(first?.[field]);
}
