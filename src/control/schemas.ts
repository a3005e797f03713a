/** Shapes that several control operations share. */
import * as Type from "typebox";

export const items = <S extends Type.TSchema>(schema: S) => Type.Object({ items: Type.Array(schema) });

/** An object of anybody's making: a record, an event's data. */
export const Anything = Type.Object({}, { additionalProperties: true });

export const ById = Type.Object({ id: Type.String() });

export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });
