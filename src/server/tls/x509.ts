/** The library that encodes certificates. Loaded with the first certificate. */
export { AsnConvert, OctetString } from "@peculiar/asn1-schema";
export * from "@peculiar/asn1-x509";
