import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { compileValidator } from "../../../src/contract/validate.js";
import type { SandboxAccount } from "../../../src/index.js";
import { payloadSchema } from "../../../src/service/webhooks/events.js";
import { expectedSignature, type Receiver, startReceiver } from "../../support/receiver.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { type Line, mainLine, newLine, person } from "./line.js";

const sandbox = useSandbox();

let account: SandboxAccount;
let line: Line;
let website: Receiver;
beforeEach(async () => {
  account = sandbox.account();
  line = await mainLine(account);
  website = await receiver();
});

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  onTestFinished(started.close);
  return started;
}

const connectWebsite = (url: string | null = website.url, to = line) =>
  to.move(to.id, "connect_website", { url });
const secretOf = async (): Promise<string> => String((await account.update({})).webhook_secret);
const register = (url: string, events?: string[]) =>
  post(account, "/v1/webhooks", { url, ...(events ? { events } : {}) });

describe("a verification event is sent to the connected website when the check ends", () => {
  test("verified: signed, with the documented fields of the check", async () => {
    await connectWebsite();
    const id = await line.question({ reference: "kyc-7" });
    await line.hears("Chidi");
    await line.hears("ngozi");
    const [delivery] = await website.got(1);
    const body = delivery?.body as Buffer;
    expect(delivery?.headers["x-service-signature"]).toBe(expectedSignature(body, await secretOf()));
    const payload = JSON.parse(String(body));
    const validate = await compileValidator(payloadSchema("verification"));
    expect(validate(payload), JSON.stringify(validate.errors)).toBe(true);
    const { resolved_at } = await line.result(id);
    expect(payload).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: "verification",
      created_at: resolved_at,
      is_test: true,
      data: {
        id,
        kind: "identity",
        status: "verified",
        to: person,
        attempts: 2,
        reference: "kyc-7",
        resolved_at,
      },
    });
  });

  test("failed and expired: with the reference null when none was given", async () => {
    await account.clock.freeze();
    await connectWebsite();
    const failed = await line.question({ max_attempts: 1 });
    await line.hears("Chidi");
    const expired = await line.question();
    await account.advance("1h");
    await website.got(2);
    const payloads = website.received.map(({ body }) => JSON.parse(String(body)).data);
    expect(payloads).toMatchObject([
      { id: failed, status: "failed", attempts: 1, reference: null },
      { id: expired, status: "expired", attempts: 0, reference: null },
    ]);
  });

  test("by hand: the moves answer and expire send it too", async () => {
    await connectWebsite();
    await line.move(await line.question(), "answer", { text: "Ngozi" });
    await line.move(await line.question(), "expire");
    await website.got(2);
    expect((await account.events.list()).map(({ data }) => data.status)).toEqual(["expired", "verified"]);
  });

  test("not while it is pending", async () => {
    await connectWebsite();
    await line.question();
    await line.hears("Chidi");
    expect(await account.events.list()).toEqual([]);
  });

  test("only if a website is connected to the number: without one, registered endpoints get none either", async () => {
    await register(website.url);
    const other = await newLine(account);
    await connectWebsite(website.url, other);
    await connectWebsite();
    await connectWebsite(null);
    const id = await line.question();
    await line.hears("Ngozi");
    expect(await line.result(id)).toMatchObject({ status: "verified" });
    expect(await account.events.list()).toEqual([]);
    expect(await account.deliveries.list()).toEqual([]);
  });

  test("to the website that is connected when it ends", async () => {
    const id = await line.question();
    await connectWebsite("http://127.0.0.1:9/");
    await connectWebsite();
    await line.hears("Ngozi");
    const [delivery] = await website.got(1);
    expect(JSON.parse(String(delivery?.body)).data.id).toBe(id);
    expect(await account.deliveries.list()).toHaveLength(1);
  });
});

describe("in addition to the website, registered endpoints that subscribe to it", () => {
  test("get it once each, with the same bytes and signature", async () => {
    const [all, verifications, payouts] = [await receiver(), await receiver(), await receiver()];
    await register(all.url);
    await register(verifications.url, ["verification"]);
    await register(payouts.url, ["payout.paid", "verification.completed"]);
    await connectWebsite();
    await line.question();
    await line.hears("Ngozi");
    await account.advance("1h");
    expect([website, all, verifications, payouts].map(({ received }) => received.length)).toEqual([
      1, 1, 1, 0,
    ]);
    const seen = [website, all, verifications].map(({ received }) => [
      String(received[0]?.body),
      received[0]?.headers["x-service-signature"],
    ]);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test("that are the website itself get it only once", async () => {
    const bare = new URL(website.url).origin;
    await register(bare);
    await connectWebsite(`${bare}/`);
    await line.question();
    await line.hears("Ngozi");
    await account.advance("1h");
    expect(website.received).toHaveLength(1);
    const deliveries = await account.deliveries.list();
    expect(deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([expect.stringMatching(/^whe_/)]);
  });

  test("do not matter if the website is also registered for other events: it still gets this one", async () => {
    await register(website.url, ["payout.paid"]);
    await connectWebsite();
    await line.question();
    await line.hears("Ngozi");
    await website.got(1);
  });
});

describe("a delivery to the website", () => {
  test("is retried, logged and listed like any other", async () => {
    const broken = await receiver((_count, response) => response.writeHead(500).end("no"));
    await connectWebsite(broken.url);
    await line.question();
    await line.hears("Ngozi");
    await account.advance("1h");
    const [delivery, ...others] = await account.deliveries.list({ event: "verification" });
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ endpoint_id: line.id, url: broken.url, status: "failed" });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 500]);
    expect(delivery?.attempts[0]?.request_headers["X-Service-Signature"]).toBe(
      expectedSignature(Buffer.from(delivery?.attempts[0]?.request_body ?? ""), await secretOf()),
    );
    expect(new Set(broken.received.map(({ body }) => String(body))).size).toBe(1);
  });

  test("can be retried by hand", async () => {
    const mending = await receiver((count, response) => response.writeHead(count > 6 ? 200 : 500).end());
    await connectWebsite(mending.url);
    await line.question();
    await line.hears("Ngozi");
    await account.advance("1h");
    const [failed] = await account.deliveries.list({ status: "failed" });
    await account.deliveries.retry(failed?.id as string);
    await account.advance("1s");
    expect((await account.deliveries.list())[0]).toMatchObject({ id: failed?.id, status: "succeeded" });
    expect((await account.deliveries.list())[0]?.attempts).toHaveLength(7);
  });

  test("that is pending is kept by a snapshot", async () => {
    await account.clock.freeze();
    await connectWebsite();
    const id = await line.question();
    const copy = sandbox.account();
    await copy.restore(await account.snapshot());
    await copy.advance("1h");
    await website.got(1);
    expect((await mainLine(copy).then((there) => there.result(id))).status).toBe("expired");
    expect((await line.result(id)).status).toBe("pending");
  });

  test("to a live account's website says is_test false", async () => {
    account = sandbox.account({ mode: "live" });
    line = await mainLine(account);
    await connectWebsite();
    await line.question();
    await line.hears("Ngozi");
    const [delivery] = await website.got(1);
    expect(JSON.parse(String(delivery?.body)).is_test).toBe(false);
  });
});
