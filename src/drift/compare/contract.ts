/** The contract of the service, as the sandbox serves it: which statuses, media types and bodies a reply may have. */
import { createAjv } from "../../contract/ajv.js";
import { methodOf, pathOf } from "../../contract/operation.js";
import type { ServiceReply } from "../service-client.js";
import { type ComparedSchema, type Deviation, deviations, type SchemaTools } from "./deviations.js";

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: ComparedSchema }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>;
}

export class ServiceContract implements SchemaTools {
  readonly ajv = createAjv();

  /** `document` is the OpenAPI document under the values in force. */
  constructor(readonly document: object) {}

  follow = (schema: ComparedSchema): ComparedSchema => {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...others } = schema;
    return { ...this.follow(this.#at($ref) as ComparedSchema), ...others };
  };

  /** Returns the schema of a reply's body; undefined if it is not JSON or not declared. */
  schemaOf(reply: ServiceReply): ComparedSchema | undefined {
    return this.#contentOf(reply)?.[reply.mediaType]?.schema;
  }

  /** Returns where the reply deviates from the contract. */
  check(reply: ServiceReply): Deviation[] {
    const { status, mediaType, body } = reply;
    const content = this.#contentOf(reply);
    if (!content) return [{ at: "status", problem: `is ${status}, which the contract does not have` }];
    const types = Object.keys(content);
    if (!types.includes(mediaType))
      return [
        { at: "content-type", problem: `should be ${types.join(" or ")} and is ${mediaType || "missing"}` },
      ];
    const schema = content[mediaType]?.schema;
    if (!mediaType.includes("json") || !schema) return [];
    if (body === undefined) return [{ at: "body", problem: "is not valid JSON" }];
    return deviations(this, schema, body);
  }

  #contentOf({ operation, status }: ServiceReply): Response["content"] {
    const { paths } = this.document as Document;
    const response = paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()]?.responses[status];
    return (response?.$ref === undefined ? response : (this.#at(response.$ref) as Response))?.content;
  }

  #at(ref: string): unknown {
    const keys = ref
      .slice(2)
      .split("/")
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return keys.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      this.document,
    );
  }
}
