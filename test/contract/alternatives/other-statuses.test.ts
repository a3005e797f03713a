import { describe, expect, test } from "vitest";
import { errors } from "../../../src/contract/errors.js";
import type { SandboxAccount } from "../../../src/index.js";
import { customer, openShop } from "../../service/business/shop.js";
import { png } from "../../support/forms.js";
import { call, post, type Reply, read, useSandbox } from "../../support/sandbox.js";
import { named, operations } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

async function upload(
  account: SandboxAccount,
  path: string,
  bytes: Uint8Array,
  name: string,
): Promise<Reply> {
  const body = new FormData();
  body.set("file", new File([new Uint8Array(bytes)], name));
  return read(await account.fetch(path, { method: "POST", body }));
}

const bank = { bank_code: "058", account_number: "0000000001" };
const noIndex = Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42", "latin1");

/** A request for each code that is 422 by default. */
const refusals: Record<string, [operation: string, (account: SandboxAccount) => Promise<Reply>]> = {
  business_profile_required: [
    "createVirtualAccount",
    (account) => post(account, "/v1/business/virtual-accounts", customer),
  ],
  payout_account_required: [
    "createPayout",
    async (account) => {
      const shop = await openShop(account);
      await shop.settledTransfer(10_000);
      return shop.ask("POST", "/payouts", { amount: 1_000 });
    },
  ],
  account_not_resolved: [
    "setPayoutAccount",
    (account) => call(account, "PUT", "/v1/business/payout-account", bank),
  ],
  insufficient_available_balance: [
    "createPayout",
    async (account) => {
      const shop = await openShop(account);
      await shop.setPayoutAccount();
      return shop.ask("POST", "/payouts", { amount: 1_000 });
    },
  ],
  refund_exceeds_payment: [
    "createRefund",
    async (account) => {
      const shop = await openShop(account);
      const { payment_id } = await shop.transfer(1_000);
      return shop.ask("POST", "/refunds", { payment_id, amount: 2_000, reason: "Too much" });
    },
  ],
  not_refundable: [
    "createRefund",
    async (account) => {
      const shop = await openShop(account);
      await shop.charge(5_000);
      const [{ id: payment_id }] = await shop.payments();
      return shop.ask("POST", "/refunds", { payment_id, reason: "Unpaid" });
    },
  ],
  url_unreachable: [
    "createAudit",
    (account) => post(account, "/v1/audits", { url: "https://unreachable.test" }),
  ],
  document_unreadable: [
    "verifyDocument",
    (account) => upload(account, "/v1/verify/document", png, "blurry.png"),
  ],
  file_unreadable: ["scanVideo", (account) => upload(account, "/v1/media-scan/video", noIndex, "a.mp4")],
};

test("every code with status 422 by default has a request here", () => {
  const listed = Object.entries(errors).filter(([, { status }]) => status === 422);
  // Occurs only under a value of another assumption, whose test has it.
  const byDefault = listed.filter(([code]) => code !== "reply_window_closed");
  expect(Object.keys(refusals).sort()).toEqual(byDefault.map(([code]) => code).sort());
});

describe("400", () => {
  const sandbox = useAlternative("errors.other_statuses", "400");
  const contract = useContract(sandbox);

  test.each(Object.entries(refusals))("%s gets 400, as its contract says", async (code, [id, refused]) => {
    const reply = await refused(sandbox.account());
    expect(reply.body.error.code).toBe(code);
    expect(reply.status).toBe(400);
    const operation = named(id);
    expect(contract().codes(operation, 400)).toContain(code);
    contract().expectDescribes(operation, reply);
  });

  test("no operation of the contract has a 422 response", async () => {
    for (const operation of operations)
      expect(contract().statuses(operation), operation.id).not.toContain(422);
  });
});

describe("422, the default", () => {
  const sandbox = useSandbox();

  test.each(Object.entries(refusals))("%s", async (code, [, refused]) => {
    const { status, body } = await refused(sandbox.account());
    expect(body.error.code).toBe(code);
    expect(status).toBe(422);
  });
});
