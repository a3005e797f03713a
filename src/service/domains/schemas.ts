/** Interface: "Domain verification". */
import * as Type from "typebox";
import { exactly, id, nullable } from "../../contract/schemas.js";

/** The interface shows `dns_txt`; `well_known_file` is named after the other proof. */
export const ProofMethod = Type.Enum(["dns_txt", "well_known_file"], { "x-assumption": "domains.check" });
export type ProofMethod = Type.Static<typeof ProofMethod>;

export const wellKnownPath = "/.well-known/service-verify.txt";

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
    path: Type.Literal(wellKnownPath),
    url: Type.String({ format: "uri", examples: [`https://example.com${wellKnownPath}`] }),
    content: Type.String({ description: "The token" }),
  }),
});

export const DomainCheck = exactly({
  verified: Type.Boolean(),
  method: nullable(ProofMethod, { description: "Proof that was found; null if there is none" }),
});
