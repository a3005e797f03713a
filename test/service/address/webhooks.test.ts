/** Interface: "Each result is also delivered as a verification.completed webhook", and "Delivery payload". */
import { expect, test } from "vitest";
import { expectedSignature, type Received, registerReceiver } from "../../support/receiver.js";
import { useSandbox } from "../../support/sandbox.js";
import { far, house, inaccurate, locate, near, started, submit } from "./checks.js";

const sandbox = useSandbox();

/** Creates an account with a receiver for its events. */
async function listening(account = sandbox.account()) {
  return { account, hook: await registerReceiver(account, { events: ["verification.completed"] }) };
}
type Listening = Awaited<ReturnType<typeof listening>>;

const payloadOf = ({ body }: Received) => JSON.parse(String(body));
const formatted = "12 Allen Avenue, Ikeja, Lagos, Nigeria";

/** Returns delivery `count`, counted from 1, and expects it to be the only new one. */
async function delivered({ account, hook }: Listening, count: number): Promise<Received> {
  await hook.got(count);
  await account.advance("1h");
  expect(hook.received).toHaveLength(count);
  return hook.received[count - 1] as Received;
}

test("a result is sent with exactly the documented fields and the right signature", async () => {
  const to = await listening();
  const check = await started(to.account);
  await locate(to.account, check, inaccurate(check));
  const delivery = await delivered(to, 1);
  const { history } = await to.account.records.get(check.id);
  expect(payloadOf(delivery)).toEqual({
    event: "verification.completed",
    job_id: check.id,
    created_at: history.at(-1)?.at,
    data: {
      type: "address",
      status: "review",
      document_type: "none",
      checks: { address_exists: true, location: false, document: false },
      extracted: { address: formatted },
    },
  });
  expect(delivery.headers["x-service-signature"]).toBe(expectedSignature(delivery.body, to.hook.secret));
  expect(delivery.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
});

test("a utility bill is reported with its issuer and date, as the interface shows, then and later", async () => {
  const to = await listening();
  const check = await started(to.account);
  await submit(to.account, check);
  const { data } = payloadOf(await delivered(to, 1));
  expect(data).toEqual({
    type: "address",
    status: "review",
    document_type: "utility_bill",
    checks: {
      address_exists: true,
      location: false,
      document: true,
      date_recent: true,
      address_extracted: true,
    },
    extracted: {
      address: formatted,
      issuer: expect.stringMatching(/Electric/),
      bill_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  });
  await locate(to.account, check, near(check));
  const later = payloadOf(await delivered(to, 2)).data;
  expect(later.document_type).toBe("utility_bill");
  expect(later.extracted).toEqual(data.extracted);
});

test("a bank statement is reported as one", async () => {
  const to = await listening();
  await submit(to.account, await started(to.account), "Statement of account.png");
  const { data } = payloadOf(await delivered(to, 1));
  expect(data.document_type).toBe("bank_statement");
  expect(data.extracted.issuer).toMatch(/Bank/);
});

test.each([
  [0, true],
  [90, true],
  [91, false],
  [-1, false],
])("a bill of %i days ago that is submitted by hand has date_recent %s", async (days, date_recent) => {
  const account = sandbox.account();
  await account.clock.freeze("2026-05-01T12:00:00Z");
  const to = await listening(account);
  const { id } = await started(account);
  const bill_date = new Date(Date.UTC(2026, 4, 1 - days)).toISOString().slice(0, 10);
  await account.records.move(id, "document", { bill_date });
  await account.advance("0s");
  const [{ data }] = to.hook.received.map(payloadOf);
  expect(data.checks.date_recent).toBe(date_recent);
  expect(data.extracted.bill_date).toBe(bill_date);
});

test.each([
  [{ bill_date: "2026-13-01" }, "bill_date"],
  [{ bill_date: 20260101 }, "bill_date"],
  [{ document_type: "toString" }, "document_type"],
])("the move document refuses %j", async (input, param) => {
  const account = sandbox.account();
  const { id } = await started(account);
  const refused = { code: "validation_error", message: expect.stringContaining(`${param} must be`) };
  await expect(account.records.move(id, "document", input)).rejects.toMatchObject(refused);
});

test("the first call sends nothing, whatever it finds", async () => {
  const to = await listening();
  for (const address of [house, "Ikeja", "12 Nowhere Street"]) await started(to.account, { address });
  await to.account.advance("1h");
  expect(to.hook.received).toEqual([]);
  expect(await to.account.events.list()).toEqual([]);
});

test("two submissions send two events in order, each with its own state", async () => {
  const to = await listening();
  const check = await started(to.account);
  await submit(to.account, check);
  const first = payloadOf(await delivered(to, 1));
  await locate(to.account, check, near(check));
  const second = payloadOf(await delivered(to, 2));
  expect([first.job_id, second.job_id]).toEqual([check.id, check.id]);
  expect(first.data).toMatchObject({
    status: "review",
    checks: { address_exists: true, location: false, document: true },
  });
  expect(second.data).toMatchObject({
    status: "verified",
    checks: { address_exists: true, location: true, document: true },
  });
  expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBeGreaterThanOrEqual(3_600_000);
});

test("a result that does not change the status is sent too", async () => {
  const to = await listening();
  const check = await started(to.account);
  await locate(to.account, check, far(check));
  await delivered(to, 1);
  await locate(to.account, check, far(check));
  const { data } = payloadOf(await delivered(to, 2));
  expect(data.status).toBe("review");
});

test("a failed check is reported as failed, and a part with half its points as not passed", async () => {
  const to = await listening();
  const check = await started(to.account, { address: "Ikeja, Lagos" });
  await submit(to.account, check, "othername.png");
  expect(payloadOf(await delivered(to, 1)).data).toEqual({
    type: "address",
    status: "failed",
    document_type: "utility_bill",
    checks: {
      address_exists: false,
      location: false,
      document: false,
      date_recent: true,
      address_extracted: true,
    },
    extracted: {
      address: "Ikeja, Lagos, Nigeria",
      issuer: expect.any(String),
      bill_date: expect.any(String),
    },
  });
});

test("the extracted data is text, even for an address that is not found", async () => {
  const to = await listening();
  const check = await started(to.account, { address: "10 Downing Street,  London", country: "GB" });
  await submit(to.account, check);
  const { data } = payloadOf(await delivered(to, 1));
  expect(data.extracted.address).toBe("10 Downing Street, London");
  for (const text of Object.values(data.extracted)) expect(text).toEqual(expect.any(String));
});

test("a live key's results are sent in the same form", async () => {
  const to = await listening(sandbox.account({ mode: "live" }));
  const check = await started(to.account);
  await locate(to.account, check, near(check));
  const payload = payloadOf(await delivered(to, 1));
  expect(Object.keys(payload)).toEqual(["event", "job_id", "created_at", "data"]);
  expect(payload.data.status).toBe("verified");
});

test("a receiver that was down gets the same bytes again", async () => {
  const account = sandbox.account();
  const hook = await registerReceiver(account, {
    answer: (count, response) => response.writeHead(count === 1 ? 500 : 200).end(),
  });
  const check = await started(account);
  await locate(account, check, near(check));
  await hook.got(1);
  await account.advance("1s");
  const [first, second] = await hook.got(2);
  expect(second?.body).toEqual(first?.body);
});
