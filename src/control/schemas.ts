/** Schemas that several control operations share. */
import * as Type from "typebox";
import { nullable } from "../contract/schemas.js";
import type { operationIds } from "../service/index.js";
import { eventKinds } from "../service/webhooks/events.js";

export const activityIdDescription =
  "Id of an activity, or of a request, event, delivery, message or record for the newest activity about it";

/** An object that is passed on unread, such as a body or a document. */
export const OpaqueObject = Type.Object({}, { additionalProperties: true });

/** An object with any fields, such as a record or the data of an event. */
export const anyObject = (options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, ...options }));
export const AnyObject = anyObject();

/** An object with these fields and any others. */
export const openObject = <P extends Type.TProperties>(properties: P) =>
  Type.Unsafe<Type.Static<Type.TObject<P>> & Record<string, unknown>>(
    Type.Object(properties, { additionalProperties: true }),
  );

export const EventName = Type.Enum([...eventKinds]);

/** Id of an operation of the service. */
export const OperationName = Type.Unsafe<(typeof operationIds)[number]>(
  Type.String({ description: "Operation id", examples: ["startPhoneVerification"] }),
);

export const NullableString = nullable(Type.String());

export const ById = Type.Object({ id: Type.String() });

export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });
