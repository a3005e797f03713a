/** Every operation of the service on one screen, in the order of interface.md. */
import type { AnyOperation } from "../contract/operation.js";
import { getBalance, getPricing, getUsage } from "./account/account.js";
import { submitAddressDocument, submitAddressLocation, verifyAddress } from "./address/operations.js";
import { createAudit, getAudit, listAudits } from "./audits/audits.js";
import { createVirtualAccount, listVirtualAccounts, simulatePayment } from "./business/accounts.js";
import { createCharge } from "./business/charges.js";
import { listPayments } from "./business/payments.js";
import { createPayout } from "./business/payouts.js";
import {
  getBusinessOverview,
  listBusinessEvents,
  saveBusinessProfile,
  setPayoutAccount,
} from "./business/profile.js";
import { createRefund } from "./business/refunds.js";
import { connectChannel, createChannel, listChannels } from "./channels/channels.js";
import { checkChannelCode, sendChannelCode } from "./channels/codes.js";
import { getIdentityCheck, startIdentityCheck } from "./channels/identity-questions.js";
import { sendChannelMessage } from "./channels/messages.js";
import { checkDomainVerification, startDomainVerification } from "./domains/domains.js";
import { verifyBankAccount, verifyBvnAccountMatch } from "./identity/bank-accounts.js";
import { verifyBvn, verifyFrsc, verifyNin } from "./identity/number-checks.js";
import { verifyDocument, verifyFaceMatch, verifyLiveness } from "./identity/photos.js";
import { scanImage } from "./media/images.js";
import { listMediaScans } from "./media/scans.js";
import { scanText } from "./media/texts.js";
import { scanVideo } from "./media/videos.js";
import { checkPhoneVerification, startPhoneVerification } from "./phone/phone.js";
import { createStreamingToken, listStreamingSessions } from "./sessions/sessions.js";
import {
  convertAudio,
  convertDocxToPdf,
  convertPdfToDocx,
  createStoreAssets,
  generateLogo,
  removeBackground,
} from "./tools/tools.js";
import { registerWebhook } from "./webhooks/webhooks.js";

const operations = [
  startPhoneVerification,
  checkPhoneVerification,

  verifyBvn,
  verifyNin,
  verifyFrsc,
  verifyBankAccount,
  verifyBvnAccountMatch,
  verifyAddress,
  submitAddressLocation,
  submitAddressDocument,
  verifyDocument,
  verifyLiveness,
  verifyFaceMatch,

  createStreamingToken,
  listStreamingSessions,

  getBalance,
  getUsage,
  getPricing,

  createStoreAssets,
  convertPdfToDocx,
  convertDocxToPdf,
  convertAudio,
  removeBackground,
  generateLogo,

  createAudit,
  listAudits,
  getAudit,

  startDomainVerification,
  checkDomainVerification,

  scanImage,
  scanText,
  scanVideo,
  listMediaScans,

  listChannels,
  createChannel,
  connectChannel,
  sendChannelMessage,
  sendChannelCode,
  checkChannelCode,
  startIdentityCheck,
  getIdentityCheck,

  getBusinessOverview,
  saveBusinessProfile,
  createVirtualAccount,
  listVirtualAccounts,
  createCharge,
  listPayments,
  simulatePayment,
  setPayoutAccount,
  createPayout,
  createRefund,
  listBusinessEvents,

  registerWebhook,
] as const;

export const serviceOperations: readonly AnyOperation[] = operations;

const outcomesIn = <Outcome extends string>(
  listed: readonly { types?: { outcome: Outcome }; outcomes: object }[],
): Outcome[] => listed.flatMap(({ outcomes }) => Object.keys(outcomes) as Outcome[]);

/** The names that the library's types are derived from. */
export const operationIds = operations.map(({ id }) => id);
export const outcomeNames = outcomesIn(operations);
