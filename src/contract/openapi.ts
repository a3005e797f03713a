/** The OpenAPI 3.1 document of a set of operations. */
export { type DocumentInput, openapi } from "./openapi/document.js";
export type { Price } from "./openapi/operations.js";
export { namedSchemas } from "./openapi/schemas.js";
export { serviceTags, type Tag } from "./openapi/tags.js";
