/** The operations that a drift run may call. Each other call is refused before it is sent. */
import type { AnyOperation } from "../contract/operation.js";
import { serviceOperations } from "../service/index.js";

/** Operations that read, or that look up made-up data. */
const harmless = [
  "verifyBvn",
  "verifyNin",
  "verifyFrsc",
  "verifyBankAccount",
  "verifyBvnAccountMatch",
  "verifyDocument",
  "verifyLiveness",
  "verifyFaceMatch",
  "listStreamingSessions",
  "getBalance",
  "getUsage",
  "getPricing",
  "createStoreAssets",
  "convertPdfToDocx",
  "convertDocxToPdf",
  "convertAudio",
  "removeBackground",
  "generateLogo",
  "createAudit",
  "listAudits",
  "getAudit",
  "scanImage",
  "scanText",
  "scanVideo",
  "listMediaScans",
  "listChannels",
  "checkPhoneVerification",
  "checkChannelCode",
  "getIdentityCheck",
  "getBusinessOverview",
  "listVirtualAccounts",
  "listPayments",
  "listBusinessEvents",
] as const;

/** Operations that reach a person, move money or change settings on a live key. Test keys cause no real effect. */
const testOnly = [
  "startPhoneVerification",
  "verifyAddress",
  "submitAddressLocation",
  "submitAddressDocument",
  "createStreamingToken",
  "startDomainVerification",
  "checkDomainVerification",
  "createChannel",
  "connectChannel",
  "sendChannelMessage",
  "sendChannelCode",
  "startIdentityCheck",
  "saveBusinessProfile",
  "createVirtualAccount",
  "createCharge",
  "simulatePayment",
  "setPayoutAccount",
  "createPayout",
  "createRefund",
  "registerWebhook",
] as const;

const onLiveKeys: ReadonlySet<string> = new Set(harmless);
const onTestKeys: ReadonlySet<string> = new Set([...harmless, ...testOnly]);

export const isAllowed = (operation: string, live: boolean): boolean =>
  (live ? onLiveKeys : onTestKeys).has(operation);

/** The operations that take an API key and that a test key may call. */
export const testKeyOperations: readonly AnyOperation[] = serviceOperations.filter(
  ({ id, auth }) => auth === "key" && isAllowed(id, false),
);
