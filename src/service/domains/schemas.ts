/** Interface: "Domain verification". */
import * as Type from "typebox";
import { exactly, id, nullable } from "../../contract/schemas.js";

export const DomainVerification = exactly({
  id: id("dom_"),
  domain: Type.String({ examples: ["example.com"] }),
  token: Type.String(),
  dns_txt: exactly({
    record: Type.String({ description: "Name of the record", examples: ["_service-verify.example.com"] }),
    type: Type.Literal("TXT"),
    value: Type.String({ description: "The token" }),
  }),
  well_known_file: exactly({
    path: Type.Literal("/.well-known/service-verify.txt"),
    url: Type.String({ format: "uri", examples: ["https://example.com/.well-known/service-verify.txt"] }),
    content: Type.String({ description: "The token" }),
  }),
});

export const DomainCheck = exactly({
  verified: Type.Boolean(),
  method: nullable(Type.Enum(["dns_txt", "well_known_file"]), {
    description: "The proof that was found; null while there is none",
    "x-assumption": "replies",
  }),
});
