/**
 * One operation is one value: route, auth, input, reply, refusals, outcomes, price and handler.
 * `operationFor<World>()` binds the context that handlers of a layer get beside their input.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { Client } from "./client.js";
import type { ErrorCode, RefusalOptions } from "./errors.js";
import type { EventKind } from "./events.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} /${string}`;
export type Plan = "starter" | "growth" | "business";

/** How the caller proves who it is: an API key, a dashboard session token, the control API's rules, or not at all. */
export type Auth = "key" | "session" | "control" | "none";

export interface UploadField {
  /** Largest accepted size in bytes. */
  maxBytes: number;
  /** Media types that the file's own bytes may show; anything else is a 415. Absent: any. */
  types?: readonly string[];
  description?: string;
  /** Most pixels (width × height) that a picture's own header may promise; one without a size is refused too. */
  maxPixels?: number;
  /** Looks at the bytes while they go by. */
  inspect?(): FileInspector;
  /** Hand the bytes to the handler. Otherwise they are counted, sniffed, hashed and let go. */
  keep?: true;
}
export type Upload = Readonly<Record<string, UploadField>>;

export interface FileInspector {
  see(chunk: Buffer): void;
  /** What it saw: the file's `inspected`. */
  end(): unknown;
}

/** What is known of an uploaded file once it has streamed through. */
export interface UploadedFile {
  filename: string;
  /** Media type read from the bytes; null when they show none. */
  type: string | null;
  size: number;
  /** Lowercase hex SHA-256 of the bytes. */
  sha256: string;
  bytes: Buffer | null;
  /** What the field's inspector saw. */
  inspected: unknown;
}

/** A reply that is not JSON, such as a converted file. */
export interface BinaryReply {
  contentType: string;
  description?: string;
}
export type ReplySchema = TSchema | BinaryReply;

/** An answer with a status of its own, where an operation has several. */
export class Answer<T> {
  constructor(
    readonly status: number,
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export class Binary {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly filename: string | null = null,
  ) {}
}

/** Outcomes that every operation has: each is the refusal of the same name. */
export const commonOutcomes = {
  internal_error: "the service fails with 500",
  provider_unavailable: "the upstream provider is down, 503",
  provider_timeout: "the upstream provider does not answer in time, 504",
  rate_limited: "the request is refused with 429",
} as const satisfies Partial<Record<ErrorCode, string>>;
export type CommonOutcome = keyof typeof commonOutcomes;

/** What chose a request's outcome: a header, a rule, a test value, what the numbers and files say, or nothing. */
export type DecidedBy = "header" | "rule" | "test-value" | "people" | "address" | "default";

export interface Decision<O = string | null> {
  /** Null: the operation has only the common outcomes, and none was asked for. */
  outcome: O;
  by: DecidedBy;
  /** The error that a rule asks for in place of an outcome; seconds for its Retry-After. */
  error?: { code: ErrorCode; retryAfter: number | null };
}

/** Least and most ms. */
export type Latency = readonly [least: number, most: number];

type Body<S> = S extends TSchema ? Static<S> : never;
type ReplyBody<R> = { [K in keyof R]: R[K] extends TSchema ? Static<R[K]> : Binary }[keyof R];

export interface Call<P, Q, B, F extends string, E extends ErrorCode, O extends string, Prepared> {
  params: P;
  query: Q;
  body: B;
  files: Readonly<Record<F, UploadedFile>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  outcome: O;
  /** Open for change while it is by default: the data may know better. */
  decision: Decision<O>;
  /** What this call costs, in kobo: already taken from the wallet. */
  cost: number;
  client: Client;
  prepared: Prepared;
  refuse(code: E, options?: RefusalOptions): never;
}

export interface OperationSpec<
  World,
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  F extends string,
  R extends Readonly<Record<number, ReplySchema>>,
  E extends ErrorCode,
  O extends string,
  Prepared,
> {
  id: string;
  route: Route;
  summary: string;
  description?: string;
  auth: Auth;
  /** The least plan that may call it. */
  plan?: Plan;
  /** Refused on live keys with test_mode_only. */
  testModeOnly?: true;
  params?: P;
  query?: Q;
  body?: B;
  /** The body may be left out whole. */
  bodyOptional?: true;
  /** Most bytes of a JSON body; absent: 1 MB. */
  maxBodyBytes?: number;
  upload?: Readonly<Record<F, UploadField>>;
  /** Success replies by status; the first one is what a plain return value gets. */
  reply: R;
  /** The codes that this operation adds to those of its auth, input and outcomes. */
  refuses?: readonly E[];
  /** Named outcomes beside the common ones; the first one is the default. */
  outcomes?: Readonly<Record<O, string>>;
  /** Key into fixtures/prices.json; a function where it depends on the request; null costs nothing. */
  price?: string | ((call: World & { query: Body<Q>; body: Body<B> }) => string | null);
  /** Costs nothing, and takes one, while the account has free calls left this month. */
  freeTier?: true;
  /** Keys into fixtures/prices.json: an account's first call at each of these prices is free. */
  freeFirst?: readonly string[];
  /** The documented response time in ms, from least to most; used by `--latency documented`. */
  latency?: Latency | ((call: World & { body: Body<B> }) => Latency | null);
  emits?: readonly EventKind[];
  /** Ids of the assumptions that shape this operation beyond those its schemas carry. */
  assumptions?: readonly string[];
  /** The outcome that a test value in the request asks for. */
  testValue?(input: {
    account: World extends { account: infer A } ? A : undefined;
    params: Body<P>;
    query: Body<Q>;
    body: Body<B>;
    files: Readonly<Record<F, UploadedFile>>;
  }): NoInfer<O> | CommonOutcome | undefined;
  /** Reads files, converts, waits; touches no state. */
  prepare?(call: World & Call<Body<P>, Body<Q>, Body<B>, F, E, O, undefined>): Promise<Prepared> | Prepared;
  /** Synchronous; the reply, or a refusal that takes every change back. */
  handle(
    call: World & Call<Body<P>, Body<Q>, Body<B>, F, E, O, Prepared>,
  ): ReplyBody<R> | Answer<ReplyBody<R>> | Promise<ReplyBody<R> | Answer<ReplyBody<R>>>;
}

/**
 * A function of a call. The method syntax makes its parameter bivariant, so that an operation of any layer is an
 * `AnyOperation`, as its methods allow already.
 */
type FromCall<Call, Result> = { of(call: Call): Result }["of"];

/** An operation of one layer, without the types of its own input and reply. */
export interface Operation<World> {
  readonly id: string;
  readonly route: Route;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  readonly plan?: Plan;
  readonly testModeOnly?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly bodyOptional?: true;
  readonly maxBodyBytes?: number;
  readonly upload?: Upload;
  readonly reply: Readonly<Record<number, ReplySchema>>;
  readonly refuses: readonly ErrorCode[];
  readonly outcomes: Readonly<Record<string, string>>;
  readonly price?: string | FromCall<World & { query: unknown; body: unknown }, string | null>;
  readonly freeTier?: true;
  readonly freeFirst?: readonly string[];
  readonly latency?: Latency | FromCall<World & { body: unknown }, Latency | null>;
  readonly emits?: readonly EventKind[];
  readonly assumptions?: readonly string[];
  testValue?(input: AnyInput): string | undefined;
  prepare?(call: World & AnyCall): unknown;
  handle(call: World & AnyCall): unknown;
}

/** An operation of any layer: what the server, the emitters and the tools work with. */
export type AnyOperation = Operation<unknown>;

interface AnyInput {
  account: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  files: Readonly<Record<string, UploadedFile>>;
}
export type AnyCall = Call<unknown, unknown, unknown, string, ErrorCode, string, unknown>;

export const operationFor =
  <World>() =>
  <
    P extends TObject,
    Q extends TObject,
    B extends TObject,
    const R extends Readonly<Record<number, ReplySchema>>,
    F extends string = never,
    E extends ErrorCode = never,
    O extends string = never,
    Prepared = undefined,
  >(
    spec: OperationSpec<World, P, Q, B, F, R, E, O, Prepared>,
  ): Operation<World> =>
    ({ refuses: [], outcomes: {}, ...spec }) as unknown as Operation<World>;

export const methodOf = (operation: { route: Route }): Method =>
  operation.route.slice(0, operation.route.indexOf(" ")) as Method;

export const pathOf = (operation: { route: Route }): string =>
  operation.route.slice(operation.route.indexOf(" ") + 1);

export const isBinary = (reply: ReplySchema): reply is BinaryReply => "contentType" in reply;

const successStatuses = new WeakMap<object, number>();

/** The status that a plain return value gets. */
export function successStatus(operation: Pick<AnyOperation, "reply">): number {
  let status = successStatuses.get(operation);
  if (status === undefined) {
    status = Number(Object.keys(operation.reply)[0]);
    successStatuses.set(operation, status);
  }
  return status;
}
