/** Ajv, which is loaded with the first request because it takes longer to load than everything else together. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export function createAjv(allErrors = true): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    useDefaults: true,
    strict: false,
    // Tests compile every schema. Checking them against the meta-schema would take ten times as long as the rest of a
    // first request.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  return ajv;
}
