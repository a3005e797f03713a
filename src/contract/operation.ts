/**
 * An operation is one value: route, auth, input, reply, refusals, outcomes, price and handler.
 * `operationFor<Context, Catalogued>()` binds the context that the handlers of a layer receive in addition to their input,
 * and the assumptions that its operations can name.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { Assumption, ChoiceOf } from "./assumptions/assumption.js";
import type { ErrorCode, RefusalOptions } from "./errors.js";
import type { Answer, Binary, BinaryReply, ReplySchemas, Stream } from "./reply-forms.js";
import type { Route } from "./route.js";
import type { Upload, UploadedFile, UploadField } from "./upload.js";

export { methodOf, pathOf, type Route } from "./route.js";

export type Plan = "starter" | "growth" | "business";

/**
 * Credentials of a call: an API key, a dashboard session token, credentials of the control API (`operator` for a call that
 * concerns no account), or none.
 */
export type Auth = "key" | "session" | "control" | "operator" | "none";

/** Range of the response time in ms. */
export type Latency = readonly [min: number, max: number];

/** The caller's connection. */
export interface Client {
  /** Aborts when the connection closes before the reply; its reason is the error to throw. */
  readonly gone: AbortSignal;
}

/**
 * Which problems of a value are reported. A hostile body may have 100,000 problems, and finding all of them would block
 * the event loop for a tenth of a second.
 */
export type Extent = "all" | "first";

type Body<S> = S extends TSchema ? Static<S> : never;
type ReplyBody<R> = {
  [K in keyof R]: R[K] extends BinaryReply ? Binary | Stream : R[K] extends TSchema ? Static<R[K]> : never;
}[keyof R];

interface Call<P, Q, B, F extends string, E extends ErrorCode, O extends string, Prepared> {
  params: P;
  query: Q;
  body: B;
  files: Readonly<Record<F, UploadedFile>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  outcome: O;
  /** While `by` is `default`, the handler may replace the outcome with what the data implies. */
  decision: Decision<O>;
  /** Price of this call in kobo, which has been taken from the wallet. */
  cost: number;
  client: Client;
  /** Which problems of a body are reported by a handler that checks it itself. */
  extent?: Extent | undefined;
  prepared: Prepared;
  refuse(code: E, options?: RefusalOptions): never;
}
type AnyCall = Call<unknown, unknown, unknown, string, ErrorCode, string, unknown>;

/** Returns an operation id as scenario files write it: `simulate_payment`. */
export const toSnake = (id: string): string => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the first part of an operation's summary, without the explanation after a semicolon. */
export function shortSummary(summary: string): string {
  const [what = ""] = summary.split(";", 1);
  return what;
}

/** Address of an operation, and the credentials that it asks for. */
export interface OperationPlace {
  readonly route: Route;
  readonly auth: Auth;
}

/** The fields whose types do not depend on the operation. */
interface OperationFields {
  readonly summary: string;
  readonly description?: string;
  /** Minimum plan. Default: every plan. */
  readonly plan?: Plan;
  /**
   * Whether the operation only looks up or converts its input, so that a call with a live key affects nobody. Every GET
   * is harmless too.
   */
  readonly isHarmless?: true;
  /** Whether calls with live keys are refused with test_mode_only. */
  readonly testModeOnly?: true;
  /** Whether the body may be omitted. */
  readonly bodyOptional?: true;
  /** Whether the body is a snapshot, whose limit is the setting `maxSnapshotMB` in place of 1 MB. */
  readonly takesSnapshot?: true;
  /** Whether it resets the account's sequence of request ids, so that its own id must not be from this sequence. */
  readonly rewindsIds?: true;
  /** Whether its calls are omitted from the activities, because they only transport what other calls have recorded. */
  readonly isUnrecorded?: true;
  /** Whether a call is free while the account has free calls left this month. Each call uses one. */
  readonly freeTier?: true;
  /** Keys of fixtures/prices.json: the first call of an account at each of these prices is free. */
  readonly freeFirst?: readonly string[];
  /** Kinds of events that its calls can lead to. */
  readonly emits?: readonly string[];
  /** Ids of further assumptions that apply to this operation, beyond those named by its schemas and refusals. */
  readonly assumptions?: readonly string[];
  /** Error codes that occur only while an assumption has a value. */
  readonly refusesWhile?: readonly RefusalWhile[];
}

/** Error codes of an operation that occur only while an assumption has a value. */
export interface RefusalWhile {
  readonly assumption: string;
  readonly value: string;
  readonly codes: readonly ErrorCode[];
}

export interface OperationSpec<
  Context,
  Catalogued extends Assumption,
  Id extends string,
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  F extends string,
  R extends ReplySchemas,
  E extends ErrorCode,
  O extends string,
  Prepared,
> extends OperationFields {
  id: Id;
  params?: P;
  query?: Q;
  body?: B;
  upload?: Readonly<Record<F, UploadField>>;
  /** Success replies by status. A plain return value gets the first status. */
  reply: R;
  assumptions?: readonly Catalogued["id"][];
  /** Error codes beyond the ones that follow from auth, input, price, outcomes and `refusesWhile`. */
  refuses?: readonly E[];
  refusesWhile?: readonly (ChoiceOf<Catalogued> & { codes: readonly E[] })[];
  /** Named outcomes in addition to the common ones. The first one is the default. */
  outcomes?: Readonly<Record<O, string>>;
  /** Key of fixtures/prices.json, or a function that chooses it. Null or omitted: the call is free. */
  price?: string | ((call: Context & { params: Body<P>; query: Body<Q>; body: Body<B> }) => string | null);
  /** Documented response time, which `--latency documented` applies. */
  latency?: Latency | ((call: Context & { body: Body<B> }) => Latency | null);
  /** Returns why the request cannot have this outcome, or undefined if it can. */
  impossible?(outcome: NoInfer<O> | CommonOutcome, input: { body: Body<B> }): string | undefined;
  /** Returns the outcome that a test value in the request selects. */
  testValue?(input: {
    account: Context extends { account: infer A } ? A : undefined;
    params: Body<P>;
    query: Body<Q>;
    body: Body<B>;
    files: Readonly<Record<F, UploadedFile>>;
  }): NoInfer<O> | CommonOutcome | undefined;
  /** Reads files, converts or waits, without changing state. Runs before the commit. */
  prepare?(call: Context & Call<Body<P>, Body<Q>, Body<B>, F, E, O, undefined>): Promise<Prepared> | Prepared;
  /** Returns the reply or throws a refusal, which undoes every change. Synchronous in the service. */
  handle(
    call: Context & Call<Body<P>, Body<Q>, Body<B>, F, E, O, Prepared>,
  ): ReplyBody<R> | Answer<ReplyBody<R>> | Promise<ReplyBody<R> | Answer<ReplyBody<R>>>;
}

/**
 * A function of a call. The method syntax makes its parameter bivariant, so that an operation of any layer is an
 * `AnyOperation`, as its methods allow already.
 */
type FromCall<C, Result> = { of(call: C): Result }["of"];

interface AnyInput {
  account: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  files: Readonly<Record<string, UploadedFile>>;
}

/** An operation of any layer, without the types of its input and reply. */
export interface AnyOperation extends OperationFields, OperationPlace {
  readonly id: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly upload?: Upload;
  readonly reply: ReplySchemas;
  readonly refuses: readonly ErrorCode[];
  readonly outcomes: Readonly<Record<string, string>>;
  readonly price?: string | FromCall<{ query: unknown; body: unknown }, string | null>;
  readonly latency?: Latency | FromCall<{ body: unknown }, Latency | null>;
  impossible?(outcome: string, input: { body: unknown }): string | undefined;
  testValue?(input: AnyInput): string | undefined;
  prepare?(call: AnyCall): unknown;
  handle(call: AnyCall): unknown;
}

/** Declarations of an operation as types, from which the library's types and names are derived. */
export interface OperationTypes {
  params: unknown;
  query: unknown;
  body: unknown;
  reply: unknown;
  /** Names of uploaded files; never if the operation takes none. */
  files: string;
  outcome: string;
}

/** An operation with its id and types as type parameters. */
export interface Operation<Id extends string, Types extends OperationTypes> extends AnyOperation {
  readonly id: Id;
  /** Exists only as a type and never has a value. */
  readonly types?: Types;
}

export type TypesOf<T extends { types?: OperationTypes }> = NonNullable<T["types"]>;
export type QueryOf<T extends { types?: OperationTypes }> = TypesOf<T>["query"];
export type BodyOf<T extends { types?: OperationTypes }> = TypesOf<T>["body"];
export type ReplyOf<T extends { types?: OperationTypes }> = TypesOf<T>["reply"];
/** Type of an item in the reply of an operation that lists. */
export type ItemOf<T extends { types?: OperationTypes }> =
  ReplyOf<T> extends { items: (infer Item)[] } ? Item : never;

export const operationFor =
  <Context, Catalogued extends Assumption = never>() =>
  <
    const Id extends string,
    const R extends ReplySchemas,
    P extends TObject = never,
    Q extends TObject = never,
    B extends TObject = never,
    F extends string = never,
    E extends ErrorCode = never,
    O extends string = never,
    Prepared = undefined,
  >(
    spec: OperationSpec<Context, Catalogued, Id, P, Q, B, F, R, E, O, Prepared> & OperationPlace,
  ) =>
    ({ refuses: [], outcomes: {}, ...spec }) as unknown as Operation<
      Id,
      { params: Body<P>; query: Body<Q>; body: Body<B>; reply: ReplyBody<R>; files: F; outcome: O }
    >;

/** Returns whether the operation belongs to the service rather than to the control API. */
export const isServiceOperation = ({ auth }: Pick<AnyOperation, "auth">): boolean =>
  auth === "key" || auth === "session";

/** Returns the status of a plain return value. */
export const successStatus = ({ reply }: Pick<AnyOperation, "reply">): number =>
  Number(Object.keys(reply)[0]);

/** Returns the longest time in ms that the interface states for a reply, or 0 where it states none. */
export function longestReplyMs({ latency }: Pick<AnyOperation, "latency">): number {
  const [, stated = 0] = (typeof latency === "function" ? latency({ body: {} } as never) : latency) ?? [];
  return stated;
}

/** Input of a call that the sandbox itself makes: for a scenario, a hosted page or the control API. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, UploadedFile>>;
}

export interface OperationCallOptions {
  /** Recorded as `by` in the history of the records that the call moves. */
  readonly actor: string;
  /** Key of the price list that replaces the operation's own. */
  readonly priceKey?: string;
  /** Outcome, as the header X-Sandbox-Outcome would request it. */
  readonly outcome?: string;
  /** Whether the call prepares an account, so that operations for test keys run on a live account too. */
  readonly setsUp?: true;
}

export interface OperationCall extends OperationInput, OperationCallOptions {}

/** Outcomes that every operation of the service has. Each is the refusal with the same name. */
export const commonOutcomes = {
  internal_error: "the service fails with 500",
  provider_unavailable: "the upstream provider is down, 503",
  provider_timeout: "the upstream provider does not respond in time, 504",
  rate_limited: "the request is refused with 429",
} as const satisfies Partial<Record<ErrorCode, string>>;
export type CommonOutcome = keyof typeof commonOutcomes;

/** Sources of an outcome. `people` and `address`: it follows from the submitted numbers, files or location. */
export const outcomeSources = ["header", "rule", "test-value", "people", "address", "default"] as const;
export type DecidedBy = (typeof outcomeSources)[number];

/** The outcome that is chosen for a request. */
export interface Decision<O = string | null> {
  /** Name of the outcome. Null if the operation has only common outcomes and none of them was requested. */
  outcome: O;
  by: DecidedBy;
  /** Error that a rule requests instead of an outcome. `retryAfter` is in seconds. */
  error?: { code: ErrorCode; retryAfter: number | null };
}
