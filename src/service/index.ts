/** Every operation of the service on one screen, in the order of interface.md. */
import type { Operation } from "../contract/operation.js";
import { getBalance } from "./account/balance.js";
import { getPricing } from "./account/pricing.js";
import { getUsage } from "./account/usage.js";
import { submitAddressDocument } from "./address/document.js";
import { submitAddressLocation } from "./address/location.js";
import { verifyAddress } from "./address/verify.js";
import { createAudit } from "./audits/create.js";
import { getAudit } from "./audits/get.js";
import { listAudits } from "./audits/list.js";
import { createCharge } from "./business/create-charge.js";
import { createPayout } from "./business/create-payout.js";
import { createRefund } from "./business/create-refund.js";
import { createVirtualAccount } from "./business/create-virtual-account.js";
import { listBusinessEvents } from "./business/list-events.js";
import { listPayments } from "./business/list-payments.js";
import { listVirtualAccounts } from "./business/list-virtual-accounts.js";
import { getBusinessOverview } from "./business/overview.js";
import { saveBusinessProfile } from "./business/profile.js";
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
import { checkDomainVerification } from "./domains/check.js";
import { startDomainVerification } from "./domains/start.js";
import { verifyBankAccount } from "./identity/bank-account.js";
import { verifyBvn } from "./identity/bvn.js";
import { verifyBvnAccountMatch } from "./identity/bvn-account-match.js";
import { verifyDocument } from "./identity/document.js";
import { verifyFaceMatch } from "./identity/face-match.js";
import { verifyFrsc } from "./identity/frsc.js";
import { verifyLiveness } from "./identity/liveness.js";
import { verifyNin } from "./identity/nin.js";
import { scanImage } from "./media/image.js";
import { listMediaScans } from "./media/list.js";
import { scanText } from "./media/text.js";
import { scanVideo } from "./media/video.js";
import type { ServiceContext } from "./operation.js";
import { checkPhoneVerification } from "./phone/check.js";
import { startPhoneVerification } from "./phone/start.js";
import { listStreamingSessions } from "./sessions/list.js";
import { createStreamingToken } from "./sessions/token.js";
import { convertAudio } from "./tools/audio-convert.js";
import { convertDocxToPdf } from "./tools/docx-to-pdf.js";
import { generateLogo } from "./tools/generate-logo.js";
import { convertPdfToDocx } from "./tools/pdf-to-docx.js";
import { removeBackground } from "./tools/remove-background.js";
import { createStoreAssets } from "./tools/store-assets.js";
import { registerWebhook } from "./webhooks/register.js";

export const serviceOperations: readonly Operation<ServiceContext>[] = [
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
];
