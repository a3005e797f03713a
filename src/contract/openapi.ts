/** The OpenAPI 3.1 document of a set of operations. */
export { openapi } from "./openapi/document.js";
export { namedSchemas } from "./openapi/schemas.js";
