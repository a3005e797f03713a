/**
 * Calls of the control API by the ids of its operations, whose schemas give the types of input and reply. Of the
 * operations, only types are imported, so that browsers and commands load none of their code.
 */
import type { Binary, Stream } from "../contract/reply-forms.js";
import type { ControlOperations } from "../control/index.js";

type Id = keyof ControlOperations;

/** Operations that reply with a stream or a file. */
export type StreamId = {
  [I in Id]: ControlOperations[I]["reply"] extends Binary | Stream ? I : never;
}[Id];
/** Operations that reply with JSON. */
export type CallId = Exclude<Id, StreamId>;

/** An object without fields, which fits a type if each field of it may be omitted. */
type Nothing = Record<never, never>;

/** Fields of which the optional ones may be undefined, which omits them. */
type Fields<T> = { [K in keyof T]: Nothing extends Pick<T, K> ? T[K] | undefined : T[K] };

/** A part of an input, which may be omitted if each of its fields may be. */
type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : Nothing extends T
    ? { readonly [N in Name]?: T | undefined }
    : { readonly [N in Name]: T };

/** A body, which is JSON and sent as it is if it is a text. */
type Content<T> = [T] extends [never] ? unknown : { readonly body: T | string };

/** Input of an operation. */
export type CallInput<I extends Id> = Part<"params", ControlOperations[I]["params"]> &
  Part<"query", Fields<ControlOperations[I]["query"]>> &
  Content<ControlOperations[I]["body"]>;

/** Properties of a request that are no input of its operation. */
export interface RequestSettings {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Arguments after the id of an operation: its input, unless all of it may be omitted. */
export type CallArguments<I extends Id> =
  Nothing extends CallInput<I>
    ? [input?: CallInput<I> & RequestSettings]
    : [input: CallInput<I> & RequestSettings];

export type CallReply<I extends Id> = ControlOperations[I]["reply"];

/** An input without the types of its operation. */
export interface AnyInput extends RequestSettings {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object | string;
}
