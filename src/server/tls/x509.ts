/**
 * The library that encodes certificates. It is loaded with the first certificate, because the build makes a separate part of a
 * file that imports packages alone.
 */
export { AsnConvert, OctetString } from "@peculiar/asn1-schema";
export * from "@peculiar/asn1-x509";
