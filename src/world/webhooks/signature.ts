/** Header with the signature of a webhook (interface: "Signature"). */
export const signatureHeader = "X-Service-Signature";
