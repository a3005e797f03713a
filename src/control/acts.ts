/** Acts of people outside the API: on the dashboard, at a link, at a domain's host and at the checkout. */
import * as Type from "typebox";
import { AddressLocationBody, AddressLocationResult } from "../service/address/check.js";
import { submitAddressLocation } from "../service/address/operations.js";
import { payCharge, testCards } from "../service/business/charges.js";
import { Payment } from "../service/business/resources.js";
import {
  describeInvalidDomain,
  fileUrl,
  ProofMethod,
  recordName,
  toDomain,
} from "../service/domains/domain-names.js";
import { findDomain, publishProof } from "../service/domains/domains.js";
import { PhoneStartBody, PhoneVerification, startPhoneVerification } from "../service/phone/phone.js";
import { operation } from "./operation.js";

/** Codes with which a rule or a header can make a call of the service fail. */
const forced = ["internal_error", "provider_unavailable", "provider_timeout", "rate_limited"] as const;

export const startPhoneFromDashboard = operation({
  id: "startPhoneFromDashboard",
  summary: "Send a phone code as the dashboard does, for NGN 8",
  body: PhoneStartBody,
  reply: { 201: PhoneVerification },
  refuses: ["invalid_phone", "invalid_template", "insufficient_balance", ...forced],
  handle: ({ account, body, sandbox }) =>
    sandbox.call(account, startPhoneVerification, {
      body,
      actor: "control",
      priceKey: "phone_code_dashboard",
    }),
});

export const visitAddress = operation({
  id: "visitAddress",
  summary: "Open confirm_url as the person and share the location of the phone",
  params: Type.Object({ id: Type.String({ description: "Id of the address check" }) }),
  body: AddressLocationBody,
  reply: { 200: AddressLocationResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired", ...forced],
  handle: ({ account, params, body, sandbox }) =>
    sandbox.call(account, submitAddressLocation, { params, body, actor: "page" }),
});

export const publishDomainProof = operation({
  id: "publishDomainProof",
  summary: "Publish a simulated TXT record or file for a domain, which the account's next check finds",
  description:
    "In a sandbox started with domains.lookup real, checks query the real DNS and web only and ignore this.",
  params: Type.Object({ domain: Type.String({ examples: ["example.com"] }) }),
  body: Type.Object({
    method: ProofMethod,
    value: Type.Optional(
      Type.String({ maxLength: 4096, description: "Default: the token of the account's verification" }),
    ),
  }),
  reply: {
    200: Type.Object({
      domain: Type.String(),
      method: ProofMethod,
      at: Type.String({ description: "Name of the TXT record or URL of the file" }),
      value: Type.String(),
    }),
  },
  refuses: ["validation_error", "resource_not_found"],

  handle({ account, params, body: { method, value }, refuse }) {
    const domain = toDomain(params.domain);
    if (domain === null)
      return refuse("validation_error", { param: "domain", message: describeInvalidDomain(params.domain) });
    const published = value ?? findDomain(account, domain)?.token;
    if (published === undefined) {
      const message = `This account has not started to verify ${domain}. Start with POST /v1/domains/verify/start, or give the value to publish.`;
      return refuse("resource_not_found", { param: "domain", message });
    }
    account.commit("control", () => publishProof(account, domain, method, published));
    const at = method === "dns_txt" ? recordName(domain) : fileUrl(domain);
    return { domain, method, at, value: published };
  },
});

export const payCheckout = operation({
  id: "payCheckout",
  summary: "Pay at the checkout as the customer, with a test card or by answering its second step",
  params: Type.Object({ reference: Type.String() }),
  body: Type.Object({
    // Not validated, so that no error message repeats what may be a real card number.
    card: Type.Optional(
      Type.Unknown({ description: "Number of a test card", examples: testCards.map(({ number }) => number) }),
    ),
    second_step: Type.Optional(Type.Unknown({ description: "approve or decline" })),
  }),
  reply: {
    200: Type.Object({
      reference: Type.String(),
      result: Type.Enum(["paid", "second_step", "declined"]),
      decline_code: Type.Union([
        Type.Enum(["card_declined", "insufficient_funds", "expired_card", "authentication_failed"]),
        Type.Null(),
      ]),
      message: Type.String(),
      payment: Payment,
    }),
  },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],
  handle: ({ account, params, body }) => payCharge(account, params.reference, body, "page"),
});
