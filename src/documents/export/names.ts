/** The kinds of exports, by the names that `standin export` takes. */
export const exportKindNames = ["postman", "bruno", "http", "asyncapi", "arazzo"] as const;
export type ExportKindName = (typeof exportKindNames)[number];
