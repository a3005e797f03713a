/** A request for each operation that answers 201, on an account that is prepared for it. */
import type { SandboxAccount } from "../../../src/index.js";
import { customer, openShop, type Shop } from "../../service/business/shop.js";
import { start } from "../../service/domains/dashboard.js";
import { essay } from "../../service/media/texts.js";
import { png } from "../../support/forms.js";
import { call, post, type Reply, read } from "../../support/sandbox.js";
import { movieBox } from "../../support/videos.js";

async function scan(account: SandboxAccount, path: string, bytes: Uint8Array): Promise<Reply> {
  const body = new FormData();
  body.set("file", new File([new Uint8Array(bytes)], "file"));
  return read(await account.fetch(path, { method: "POST", body }));
}

const mp4 = Buffer.concat([Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42", "latin1"), movieBox(5)]);

/** Returns a path below that of the first channel. */
async function onLine(account: SandboxAccount, path: string, body: object): Promise<Reply> {
  const [line] = (await call(account, "GET", "/v1/wa/channels")).body;
  return post(account, `/v1/wa/channels/${line.id}${path}`, body);
}

/** Prepares a business with a payout account and this much available for payouts. */
async function richShop(account: SandboxAccount): Promise<Shop> {
  const shop = await openShop(account);
  await shop.setPayoutAccount();
  await shop.settledTransfer(10_000);
  return shop;
}

const to = "2348031234567";

export const creating: Readonly<Record<string, (account: SandboxAccount) => Promise<Reply>>> = {
  startPhoneVerification: (account) => post(account, "/v1/phone/verify/start", { phone: "08031234567" }),
  verifyAddress: (account) =>
    post(account, "/v1/verify/address", {
      address: "12 Allen Avenue, Ikeja",
      full_name: "Ada Obi",
      country: "NG",
    }),
  createStreamingToken: (account) =>
    post(account, "/v1/streaming/video/token", { identity: "ada", role: "publisher" }),
  createAudit: (account) => post(account, "/v1/audits", { url: "https://example.com" }),
  startDomainVerification: (account) => start(account, "example.com"),
  scanImage: (account) => scan(account, "/v1/media-scan/image", png),
  scanText: (account) => post(account, "/v1/media-scan/text", { text: essay }),
  scanVideo: (account) => scan(account, "/v1/media-scan/video", mp4),
  createChannel: (account) => post(account, "/v1/wa/channels", { label: "Front desk" }),
  sendChannelCode: (account) => onLine(account, "/otp", { to }),
  startIdentityCheck: (account) =>
    onLine(account, "/verify-identity", { to, question: "Who?", expected: "Ada" }),
  createVirtualAccount: async (account) =>
    (await openShop(account)).ask("POST", "/virtual-accounts", customer),
  createCharge: async (account) =>
    (await openShop(account)).ask("POST", "/charges", { amount: 5_000, ...customer, description: "Order" }),
  createPayout: async (account) => (await richShop(account)).ask("POST", "/payouts", { amount: 1_000 }),
  createRefund: async (account) => {
    const shop = await richShop(account);
    const [{ id: payment_id }] = await shop.payments();
    return shop.ask("POST", "/refunds", { payment_id, reason: "Returned goods" });
  },
  registerWebhook: (account) => post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" }),
};
