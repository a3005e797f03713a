import * as Type from "typebox";
import { operation } from "../operation.js";
import { AddressCheck } from "./schemas.js";

export const verifyAddress = operation({
  id: "verifyAddress",
  route: "POST /v1/verify/address",
  summary: "Start an address check",
  description:
    "Pending until the person opens confirm_url at the address, or a location or document is submitted; " +
    "each result is also sent as verification.completed.",
  auth: "key",
  body: Type.Object({
    address: Type.String({ minLength: 1, examples: ["12 Allen Avenue, Ikeja, Lagos"] }),
    full_name: Type.String({ minLength: 1 }),
    country: Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Two-letter country code",
      examples: ["NG"],
    }),
    radius_m: Type.Optional(Type.Number({ exclusiveMinimum: 0, default: 200, description: "Metres" })),
    reference: Type.Optional(Type.String()),
  }),
  reply: { 201: AddressCheck },
  refuses: ["insufficient_balance"],
  price: "address",
  assumptions: ["address.required", "address.points"],
});
