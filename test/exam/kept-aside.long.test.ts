/** Clients of the archives from kept-aside-2.tar.gz on: the exam finds their bugs, and accuses none that is right. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { temporaryFolder } from "../support/program.js";
import { isLong, shareOf } from "../support/repetitions.js";
import { skipWithout, type Toolchain } from "../support/toolchains.js";
import { examine } from "./corpus.js";

interface KeptClient {
  name: string;
  folder: string;
  language: "node" | "python" | "php" | "go" | "java";
  /** Command that builds it. */
  prepare: [string, ...string[]] | null;
  /** Command that runs its tests. */
  test: string[];
}

const folder = temporaryFolder();

/** Unpacks an archive, and returns its folder. */
function unpack(archive: string): string {
  const place = join(folder, archive);
  mkdirSync(place);
  const packed = join(import.meta.dirname, `${archive}.tar.gz`);
  execFileSync("tar", ["xzf", packed, "--strip-components=1", "-C", place]);
  return place;
}

const described = ["kept-aside-2", "kept-aside-3"].flatMap((archive) => {
  const place = unpack(archive);
  const clients: KeptClient[] = JSON.parse(readFileSync(join(place, "apps.json"), "utf8"));
  return clients.map((client) => ({ ...client, folder: join(place, client.folder) }));
});

/** Clients that build and test themselves. Their names begin with the number of the archive. */
const selfMade = ["4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18"].flatMap(
  (number) => {
    const place = unpack(`kept-aside-${number}`);
    const lists = readdirSync(place).filter((name) => name.endsWith(".json"));
    return lists.flatMap((list) => {
      const clients: Record<string, { language: string }> = JSON.parse(
        readFileSync(join(place, list), "utf8"),
      );
      return Object.entries(clients).map(
        ([name, { language }]): KeptClient => ({
          name: `${number}/${name}`,
          folder: join(place, name),
          language: language.toLowerCase().split(" ")[0] as KeptClient["language"],
          prepare: null,
          test: ["bash", "run.sh"],
        }),
      );
    });
  },
);

const all = [...described, ...selfMade];

const toolchains: Readonly<Record<KeptClient["language"], Toolchain | null>> = {
  node: null,
  python: "python",
  php: "php",
  go: "go",
  java: "java",
};

/**
 * The finding that shows each bug. Some have none. ride-cash-out: its fault needs the end of a payout before the reply that
 * creates it, which the service sends a minute apart. festival-gate: it passes a refusal on, and is stuck when it is asked again.
 * selfie-door: its tests fail in every outage, whether the door opens or not. c06-phone-login: the codes of its tests do not begin
 * with 0. c14-return-items: its prices come from its tests. b2: its work is done after the webhook or the reply, whichever comes
 * first, and only the former can be interrupted. d01: a right client may fail under what would show it, an earlier result before
 * the good one, which its test sees in passing. f08: its tests end before the run that pays again. g04: it passes a refusal on,
 * again and again. h02: it ships before a problem with the payment is found. h06: none of its tests pays an amount twice. p01: a
 * payment whose problem is resolved has no second one here. u05: none of its tests pays the person again whose account was
 * refused. w07: all its tests share an account, whose first list has no payment yet. x07: it takes over values of the look-up
 * before, which only a second look-up without values shows. y05: a problem is resolved in favour of the payment here, whatever a
 * reader might find. za02: it signs in the number of the request, which only an attacker changes. zb02, zb07: their tests fail
 * whether the harm is done or not. zc02: its tests wait for each event before they cause the next. zc03: none of its tests gives
 * the number of somebody else. zd08: none of its tests has a fare below the fee. ea01, eb02, eb04: their tests fail where a right
 * client may pass an error on as well. eb03: a payment is not held once it was paid and read. ec02: a BVN has a date of birth.
 * ec04: the service decides on no address any more that it has verified. ed01: its tests wait for an event before the next one.
 * ed03: its time limit ends with the headers of a reply, as that of right clients in Java does. ed04: only a test of a doubtful
 * photo shows it. fa03: the person after whom it approves the wrong one is refused in all its tests. fb02: a bank account has a
 * holder. fb04: its test of the photo whose answer is taken for another's expects no more than that the claim is not settled. fc02:
 * the cost of a session that has ended is known. fc03: its server ends in a process of its own. fc04, gc03: their tests fail whether
 * the harm is done or not. fd02: it opens for a code that nobody was sent, which fails a test of the right one as well. fd03: as
 * ed03. fd05: none of its tests scans two photos of one kind after the other. ga02: no reply of a refund takes 5 s. ga04: its tests
 * read the balance without a time limit, which was found in its place. gb02: its server ends where right ones fail. gb04: right
 * clients do not look at the reference of a code either. gc01: a payment has a status. gd03: no payment is held and listed again.
 * ha03: a record that is found has a date of birth. ha04: an address that has been verified is under review no more. hc02: none of
 * its tests reads the whole file, and right clients may fail without it. hc03: none of its tests signs in a second person but where
 * the service is down for good.
 */
const shownBy: Readonly<Record<string, string>> = {
  "agency-audits": "survived/getAudit/never-ends",
  "chat-login": "noticed/checkChannelCode/expired/first-account",
  "church-offerings": "absorbed/payment.received/unsigned-first",
  "concert-tickets": "absorbed/listPayments/reversed",
  "craft-market": "absorbed/payment.settled/twice",
  "driver-papers": "survived/verifyDocument/provider_unavailable",
  "dues-receiver": "absorbed/listPayments/rate-limited",
  "food-court": "survived/payment.settled/kobo",
  "landlord-accounts": "absorbed/createVirtualAccount/unknown-field",
  "order-hooks": "absorbed/payment.received/unsigned-first",
  "parcel-zones": "noticed/verifyAddress/town_only",
  "payout-tracker": "absorbed/payout.requested/out-of-order",
  "payroll-month": "survived/createPayout/unavailable-later",
  "refund-desk": "survived/createRefund/reply-lost",
  "rent-keys": "noticed/listPayments/held",
  "rent-late-fees": "noticed/listPayments/month-of-lagos/third-account",
  "rider-onboarding": "noticed/verifyNin/refused/first-account",
  "savings-circle": "absorbed/payment.received/letters",
  "school-fees": "noticed/listPayments/held/first-account",
  "school-receipts": "survived/payment.received/null",
  "second-hand-listings": "noticed/scanText/inconclusive/first-account",
  "shoe-returns": "noticed/createRefund/failed",
  "site-auditor": "survived/getAudit/never-ends",
  "staff-import": "survived/verifyBankAccount/down",
  "support-desk": "noticed/sendChannelMessage/refused",
  "thrift-wallets": "survived/createVirtualAccount/reply-lost",
  "4/clinic": "noticed/sendChannelMessage/not-sent",
  "4/doorstep": "absorbed/verification.completed/unsigned-first",
  "4/furniture": "noticed/listPayments/held",
  "4/gym-payouts": "survived/createPayout/reply-lost",
  "4/loan-desk": "noticed/verifyBvn/no_match",
  "4/school-wallet": "absorbed/payment.settled/twice",
  "4/sign-in": "noticed/checkPhoneVerification/expired",
  "4/till": "absorbed/payout.requested/out-of-order",
  "4/voice-notes": "noticed/convertAudio/refused",
  "5/c01-wallet-topup": "noticed/listPayments/held",
  "5/c03-vendor-onboard": "noticed/verifyBvnAccountMatch/partial_match",
  "5/c04-weekly-settlement": "survived/createPayout/reply-lost",
  "5/c08-address-board": "absorbed/verification.completed/earlier-result",
  "5/c10-order-ledger": "absorbed/listPayments/rate-limited",
  "5/c12-site-grades": "survived/getAudit/never-ends",
  "6/a2": "survived/createPayout/timeout-after",
  "6/a3": "noticed/getAudit/failed/first-record",
  "6/a6": "survived/payment.received/kobo",
  "6/a7": "absorbed/listPayments/rate-limited",
  "6/b3": "noticed/scanText/likely_edited/first-account",
  "6/b6": "noticed/removeBackground/cut-off",
  "6/b7": "survived/createPayout/reply-lost",
  "7/d02": "survived/createAudit/slow",
  "7/d03": "noticed/listPayments/held",
  "7/d04": "noticed/verifyDocument/expired",
  "7/d05": "noticed/convertAudio/cut-off",
  "7/e01": "noticed/getIdentityCheck/expired",
  "7/e03": "noticed/convertAudio/not-made/third-account",
  "7/e05": "noticed/createPayout/not-made-later/first-account",
  "7/e07": "noticed/verifyFaceMatch/refused",
  "7/e09": "noticed/checkDomainVerification/absent",
  "8/f02": "absorbed/payment.received/unsigned-first",
  "8/f03": "noticed/checkChannelCode/none-sent",
  "8/f06": "noticed/getAudit/failed",
  "8/f10": "noticed/verifyBvn/refused",
  "8/g01": "absorbed/payout.failed/twice",
  "8/g02": "noticed/checkChannelCode/none-sent",
  "8/g03": "absorbed/verification.completed/twice",
  "8/g05": "survived/createAudit/reply-lost",
  "8/h04": "noticed/listStreamingSessions/running",
  "8/h09": "noticed/convertDocxToPdf/cut-off",
  "9/i01": "noticed/checkChannelCode/none-sent",
  "9/i02": "noticed/verification.completed/review",
  "9/i03": "absorbed/listPayments/reversed",
  "9/i04": "noticed/removeBackground/outage",
  "9/j02": "noticed/checkChannelCode/locked",
  "9/j04": "absorbed/payment.received/late",
  "9/j06": "noticed/getAudit/failed/first-record",
  "9/j07": "noticed/createRefund/outage",
  "9/k02": "survived/getIdentityCheck/down",
  "9/k03": "absorbed/payment.received/unsigned-first",
  "9/k04": "survived/createPayout/timeout-after",
  "9/k08": "noticed/getAudit/failed",
  "10/l02": "survived/createRefund/hang",
  "10/l05": "noticed/getIdentityCheck/expired",
  "10/m01": "noticed/verifyFrsc/suspended-licence",
  "10/m02": "noticed/createPayout/not-made-later/first-account",
  "10/n01": "noticed/createRefund/failed",
  "10/n02": "noticed/verifyBvnAccountMatch/partial_match",
  "11/o02": "noticed/checkChannelCode/locked",
  "11/o05": "absorbed/listPayments/rate-limited",
  "11/p02": "noticed/createPayout/not-made-later/first-account",
  "11/q02": "noticed/checkChannelCode/locked",
  "11/q05": "survived/setPayoutAccount/not-found-later",
  "12/r03": "absorbed/listPayments/interrupted",
  "12/r05": "noticed/verifyFrsc/suspended-licence",
  "12/r06": "noticed/convertAudio/cut-off",
  "12/r09": "survived/createPayout/reply-lost",
  "12/s03": "noticed/checkPhoneVerification/used",
  "12/s04": "noticed/listPayments/held",
  "12/s07": "noticed/createPayout/not-made-later/first-account",
  "12/s09": "survived/listPayments/unpaid",
  "12/t02": "absorbed/listPayments/rate-limited",
  "12/t03": "noticed/convertDocxToPdf/cut-off",
  "12/t06": "absorbed/listPayments/reversed",
  "12/t08": "noticed/verifyFrsc/suspended-licence",
  "12/u02": "noticed/checkPhoneVerification/locked",
  "12/u07": "noticed/sendChannelMessage/not-delivered",
  "12/u10": "absorbed/listPayments/interrupted",
  "13/v02": "survived/createRefund/truncated",
  "13/v05": "noticed/verifyFrsc/suspended-licence/first-account",
  "13/v07": "noticed/convertDocxToPdf/cut-off",
  "13/w02": "noticed/checkPhoneVerification/used",
  "13/w05": "survived/createAudit/reply-lost",
  "13/x02": "noticed/convertDocxToPdf/cut-off",
  "13/x05": "absorbed/payout.requested/out-of-order",
  "13/y02": "survived/setPayoutAccount/not-found-later",
  "13/y07": "noticed/checkPhoneVerification/used",
  "14/za04": "noticed/verifyBvn/outage",
  "14/za06": "absorbed/listPayments/rate-limited",
  "14/za07": "absorbed/listPayments/reversed",
  "14/zb03": "absorbed/listPayments/pending-first/third-account",
  "14/zb06": "noticed/scanImage/likely_edited",
  "14/zc05": "survived/listBusinessEvents/down",
  "14/zc06": "noticed/listPayments/pending",
  "14/zd02": "noticed/verifyBvnAccountMatch/unknown",
  "14/zd04": "absorbed/listPayments/interrupted-often",
  "14/zd06": "absorbed/verification/cut-off",
  "15/ea02": "absorbed/verification.completed/earlier-result",
  "15/ea03": "absorbed/payout.failed/twice",
  "15/ea04": "absorbed/listPayments/reversed",
  "15/eb01": "noticed/getAudit/zero",
  "15/ec01": "survived/setPayoutAccount/unavailable-last",
  "15/ec03": "absorbed/listPayments/reversed",
  "15/ed02": "absorbed/getIdentityCheck/interrupted-often",
  "16/fa01": "absorbed/listPayments/interrupted-often",
  "16/fa02": "absorbed/startPhoneVerification/slow",
  "16/fa04": "survived/sendChannelMessage/down-after-5",
  "16/fa05": "absorbed/listPayments/reversed",
  "16/fb01": "absorbed/listPayments/reversed",
  "16/fb03": "absorbed/verification.completed/earlier-result",
  "16/fc01": "absorbed/listPayments/reversed",
  "16/fd01": "survived/setPayoutAccount/not-found-later",
  "16/fd04": "absorbed/listVirtualAccounts/interrupted-often",
  "17/ga01": "survived/setPayoutAccount/not-found-later",
  "17/ga03": "survived/verifyBvn/timeout",
  "17/gb01": "absorbed/listPayments/interrupted-often",
  "17/gb03": "absorbed/submitAddressLocation/webhooks-first",
  "17/gc02": "survived/setPayoutAccount/not-found-later",
  "17/gc04": "survived/convertAudio/truncated",
  "17/gd01": "absorbed/verification/retried",
  "17/gd02": "absorbed/payment.settled/twice",
  "17/gd04": "noticed/verifyFrsc/refused",
  "18/ha01": "absorbed/payment.received/twice",
  "18/ha02": "survived/setPayoutAccount/unavailable-last",
  "18/hc01": "survived/sendChannelMessage/refused-later",
  "18/hc04": "absorbed/listPayments/interrupted-often",
  "18/hd01": "survived/createPayout/reply-lost",
  "18/hd02": "absorbed/listPayments/interrupted-often",
  "18/hd03": "noticed/scanImage/likely_edited",
  "18/hd04": "noticed/verifyNin/unconfirmed",
};

const bugs = all.filter(({ name }) => name in shownBy);
test.for(shareOf(bugs, 12, 1))("the bug of $name is found", async (client, { skip }) => {
  const cwd = prepare(client, skip);
  const finding = shownBy[client.name] as string;
  const { card } = await examine(client.test, ["--budget", "10m", "--only", finding], cwd);
  expect(card.findings.map(({ id }) => id)).toContain(finding);
});

/** Right clients in which the exam finds nothing. Not every client has been examined yet. */
const cleared: readonly string[] = [
  "address-desk",
  "audit-watch",
  "cooperative-dues",
  "driver-kyc",
  "essay-contest",
  "grocery-zones",
  "listing-guard",
  "otp-login",
  "refund-counter",
  "settlement-sweep",
  "4/catalogue",
  "4/classroom",
  "4/courier-app",
  "4/helpline",
  "4/kiosk-refunds",
  "4/parcel-lockers",
  "4/payee",
  "4/rent-book",
  "4/riders-pay",
  "4/tenants",
  "5/c02-cutout",
  "5/c05-account-numbers",
  "5/c07-essay-scan",
  "5/c11-room-tokens",
  "5/c13-rent-receipts",
  "5/c16-driver-signup",
  "6/a1",
  "6/a4",
  "6/a5",
  "6/a8",
  "6/b1",
  "6/b4",
  "6/b5",
  "6/b8",
  "7/d06",
  "7/d07",
  "7/d08",
  "7/d09",
  "7/d10",
  "7/e02",
  "7/e04",
  "7/e06",
  "7/e08",
  "7/e10",
  "8/f04",
  "8/f05",
  "8/f07",
  "8/f09",
  "8/g06",
  "8/g07",
  "8/g08",
  "8/g09",
  "8/g10",
  "8/h01",
  "8/h03",
  "8/h05",
  "8/h07",
  "8/h08",
  "8/h10",
  "9/i05",
  "9/i06",
  "9/i07",
  "9/i08",
  "9/j01",
  "9/j03",
  "9/j08",
  "9/k01",
  "9/k05",
  "9/k07",
  "10/l01",
  "10/l03",
  "10/l04",
  "10/l06",
  "10/m03",
  "10/m04",
  "10/m05",
  "10/m06",
  "10/n03",
  "10/n04",
  "10/n05",
  "10/n06",
  "11/o01",
  "11/o03",
  "11/o04",
  "11/o06",
  "11/o07",
  "11/p03",
  "11/p04",
  "11/p05",
  "11/p06",
  "11/p07",
  "11/q01",
  "11/q03",
  "11/q04",
  "11/q06",
  "11/q07",
  "12/r01",
  "12/r04",
  "12/r07",
  "12/r08",
  "12/s02",
  "12/s05",
  "12/s06",
  "12/s10",
  "12/t01",
  "12/t04",
  "12/t07",
  "12/t09",
  "12/t10",
  "12/u03",
  "12/u06",
  "12/u08",
  "12/u09",
  "13/v03",
  "13/v04",
  "13/v06",
  "13/v08",
  "13/w03",
  "13/w04",
  "13/w06",
  "13/w08",
  "13/x03",
  "13/x04",
  "13/x06",
  "13/x08",
  "13/y01",
  "13/y03",
  "13/y04",
  "13/y06",
  "13/y08",
  "14/za01",
  "14/za03",
  "14/za05",
  "14/za08",
  "14/zb01",
  "14/zb04",
  "14/zb05",
  "14/zb08",
  "14/zc01",
  "14/zc04",
  "14/zc07",
  "14/zc08",
  "14/zd01",
  "14/zd03",
  "14/zd05",
  "14/zd07",
  "15/ea02r",
  "15/ea03r",
  "15/ea04r",
  "15/eb01r",
  "15/eb03r",
  "15/eb04r",
  "15/ec01r",
  "15/ec02r",
  "15/ec03r",
  "15/ec04r",
  "15/ed01r",
  "15/ed02r",
  "15/ed03r",
  "15/ed04r",
  "16/fa03r",
  "16/fa04r",
  "16/fa05r",
  "16/fb04r",
  "16/fd01r",
  "16/fd05r",
  "17/ga03r",
  "17/gb02r",
  "17/gb03r",
  "17/gb04r",
  "17/gc02r",
  "17/gc03r",
  "17/gc04r",
  "17/gd04r",
  "18/ha03r",
  "18/hc02r",
  "18/hc03r",
  "18/hd03r",
  "18/hd04r",
];

const right = all.filter(({ name }) => cleared.includes(name));
test.for(shareOf(right, 10, 0))("$name, which is right, is not accused", async (client, { skip }) => {
  const cwd = prepare(client, skip);
  const { card } = await examine(client.test, ["--budget", isLong ? "10m" : "30s"], cwd);
  expect(card.tried.length).toBeGreaterThan(0);
  expect(card.findings.map(({ title }) => title)).toEqual([]);
});

/** Builds a client, and returns its folder. Skips the test if its language cannot be used here. */
function prepare({ folder: cwd, language, prepare: command }: KeptClient, skip: TestContext["skip"]) {
  const toolchain = toolchains[language];
  if (toolchain) skipWithout(toolchain, skip);
  if (command) execFileSync(command[0], command.slice(1), { cwd });
  return cwd;
}
