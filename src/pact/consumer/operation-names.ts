/** The operations that speak JSON both ways, as the helper knows them when a consumer test is compiled. */
export const operationNames = [
  "startPhoneVerification",
  "checkPhoneVerification",

  "verifyBvn",
  "verifyNin",
  "verifyFrsc",
  "verifyBankAccount",
  "verifyBvnAccountMatch",
  "verifyAddress",
  "submitAddressLocation",

  "createStreamingToken",
  "listStreamingSessions",

  "getBalance",
  "getUsage",
  "getPricing",

  "createAudit",
  "listAudits",
  "getAudit",

  "startDomainVerification",
  "checkDomainVerification",

  "scanText",
  "listMediaScans",

  "listChannels",
  "createChannel",
  "connectChannel",
  "sendChannelMessage",
  "sendChannelCode",
  "checkChannelCode",
  "startIdentityCheck",
  "getIdentityCheck",

  "getBusinessOverview",
  "saveBusinessProfile",
  "createVirtualAccount",
  "listVirtualAccounts",
  "createCharge",
  "listPayments",
  "simulatePayment",
  "setPayoutAccount",
  "createPayout",
  "createRefund",
  "listBusinessEvents",

  "registerWebhook",
] as const;

export type OperationName = (typeof operationNames)[number];
