/** Reads the input of the moves `locate` and `document`. Without input, the evidence confirms the address. */
import { inputField, readNumber, refuseInput } from "../move-input.js";
import type { DocumentReading, Location } from "./checks.js";
import type { Position } from "./distance.js";

/** Reads a location. Default: `position`, the known position of the address. */
export function readLocation(input: unknown, position: Position | null): Location {
  if (Object.keys((input ?? {}) as object).length === 0 && position) return { ...position, accuracy_m: 10 };
  return {
    latitude: readNumber("latitude", inputField(input, "latitude"), -90, 90),
    longitude: readNumber("longitude", inputField(input, "longitude"), -180, 180),
    accuracy_m: readNumber("accuracy_m", inputField(input, "accuracy_m"), 0, Number.MAX_VALUE),
  };
}

export function readAddressDocument(input: unknown): DocumentReading {
  const { address_match = 100, name_match = true } = (input ?? {}) as Partial<DocumentReading>;
  if (typeof name_match !== "boolean") refuseInput("name_match", "true or false", name_match);
  return { address_match: readNumber("address_match", address_match, 0, 100), name_match };
}
