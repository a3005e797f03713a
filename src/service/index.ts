/** Every operation of the service on one screen, in the order of interface.md. */
import type { AnyOperation } from "../contract/operation.js";
import { getBalance } from "./account/get-balance.js";
import { getPricing } from "./account/get-pricing.js";
import { getUsage } from "./account/get-usage.js";
import { submitAddressDocument } from "./address/submit-address-document.js";
import { submitAddressLocation } from "./address/submit-address-location.js";
import { verifyAddress } from "./address/verify-address.js";
import { createAudit } from "./audits/create-audit.js";
import { getAudit } from "./audits/get-audit.js";
import { listAudits } from "./audits/list-audits.js";
import { createCharge } from "./business/create-charge.js";
import { createPayout } from "./business/create-payout.js";
import { createRefund } from "./business/create-refund.js";
import { createVirtualAccount } from "./business/create-virtual-account.js";
import { getBusinessOverview } from "./business/get-business-overview.js";
import { listBusinessEvents } from "./business/list-business-events.js";
import { listPayments } from "./business/list-payments.js";
import { listVirtualAccounts } from "./business/list-virtual-accounts.js";
import { saveBusinessProfile } from "./business/save-business-profile.js";
import { setPayoutAccount } from "./business/set-payout-account.js";
import { simulatePayment } from "./business/simulate-payment.js";
import { checkChannelCode } from "./channels/check-channel-code.js";
import { connectChannel } from "./channels/connect-channel.js";
import { createChannel } from "./channels/create-channel.js";
import { getIdentityCheck } from "./channels/get-identity-check.js";
import { listChannels } from "./channels/list-channels.js";
import { sendChannelCode } from "./channels/send-channel-code.js";
import { sendChannelMessage } from "./channels/send-channel-message.js";
import { startIdentityCheck } from "./channels/start-identity-check.js";
import { checkDomainVerification } from "./domains/check-domain-verification.js";
import { startDomainVerification } from "./domains/start-domain-verification.js";
import { verifyBankAccount } from "./identity/verify-bank-account.js";
import { verifyBvn } from "./identity/verify-bvn.js";
import { verifyBvnAccountMatch } from "./identity/verify-bvn-account-match.js";
import { verifyDocument } from "./identity/verify-document.js";
import { verifyFaceMatch } from "./identity/verify-face-match.js";
import { verifyFrsc } from "./identity/verify-frsc.js";
import { verifyLiveness } from "./identity/verify-liveness.js";
import { verifyNin } from "./identity/verify-nin.js";
import { listMediaScans } from "./media/list-media-scans.js";
import { scanImage } from "./media/scan-image.js";
import { scanText } from "./media/scan-text.js";
import { scanVideo } from "./media/scan-video.js";
import { checkPhoneVerification } from "./phone/check-phone-verification.js";
import { startPhoneVerification } from "./phone/start-phone-verification.js";
import { createStreamingToken } from "./sessions/create-streaming-token.js";
import { listStreamingSessions } from "./sessions/list-streaming-sessions.js";
import { convertAudio } from "./tools/convert-audio.js";
import { convertDocxToPdf } from "./tools/convert-docx-to-pdf.js";
import { convertPdfToDocx } from "./tools/convert-pdf-to-docx.js";
import { createStoreAssets } from "./tools/create-store-assets.js";
import { generateLogo } from "./tools/generate-logo.js";
import { removeBackground } from "./tools/remove-background.js";
import { registerWebhook } from "./webhooks/register-webhook.js";

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
