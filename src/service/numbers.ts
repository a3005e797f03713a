/** Schemas of the numbers that requests to several sections have: identity numbers, phones, accounts and banks. */
import * as Type from "typebox";
import { coded } from "../contract/schemas.js";

const ElevenDigits = (code: "invalid_bvn" | "invalid_nin", example: string) =>
  Type.String({ pattern: "^[0-9]{11}$", examples: [example], ...coded(code, "exactly 11 digits") });
export const Bvn = ElevenDigits("invalid_bvn", "22301948576");
export const Nin = ElevenDigits("invalid_nin", "48120936571");

/** A local Nigerian number or E.164, with spaces and hyphens; assumption phone.notations. */
export const PhoneNumber = Type.String({
  pattern: "^[ -]*(?:0(?:[ -]*[0-9]){10}|\\+[ -]*[1-9](?:[ -]*[0-9]){5,14})[ -]*$",
  description: "Nigerian number of 0 and ten digits, or E.164",
  examples: ["08031234567"],
  ...coded(
    "invalid_phone",
    "a Nigerian number of 0 and ten digits, such as 08031234567, or E.164, such as +2348031234567",
  ),
});

export const AccountNumber = Type.String({
  pattern: "^[0-9]{10}$",
  "x-assumption": "account_numbers",
  examples: ["0143728169"],
  ...coded("invalid_account_number", "exactly 10 digits"),
});

export const BankCode = Type.String({
  pattern: "^([0-9]{3}|[0-9]{5,6})$",
  examples: ["058"],
  ...coded("invalid_bank_code", "the bank's central-bank code, 3, 5 or 6 digits such as 058"),
});

export const chatNumberPattern = "^[1-9][0-9]{7,14}$";

/** Completes the sentence "to must be ...". */
export const chatNumberRule = "digits with country code and without a plus sign, such as 2348031234567";

/** Number on the messaging app: digits with country code. */
export const ChatNumber = Type.String({
  pattern: chatNumberPattern,
  "x-assumption": "channels.numbers",
  examples: ["2348031234567"],
  ...coded("invalid_phone", chatNumberRule),
});
