/** Ajv, loaded when the first request needs it: it takes longer to load than everything else together. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Text: numbers and booleans are read out of strings, as query strings and form fields need it. */
export function createAjv(source: "json" | "text"): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    coerceTypes: source === "text",
    useDefaults: true,
    strict: false,
    // The schemas are ours and are compiled in the tests: checking each against the meta-schema, and compiling that
    // first, would take ten times as long as the rest of a first request.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  return ajv;
}
