import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { compileValidator } from "../../src/contract/validate.js";
import { type CheckResult, checkReceiver, type ReceiverReport } from "../../src/index.js";
import { checkGroups } from "../../src/receiver-check/check-receiver.js";
import { type EventKind, eventKinds, payloadSchema } from "../../src/service/webhooks/events.js";
import { freePort } from "../support/port.js";
import { expectedSignature, type Receiver } from "../support/receiver.js";
import { behaviours, rightStatus, secret, startFaulty } from "./faulty-receivers.js";

/** A busy machine may delay an answer, and one after half of this time gets advice. */
const timeout = 2_500;
/** For receivers that never answer. */
const shortTimeout = 500;
const timeoutFor = (name: keyof typeof behaviours) => (name === "hangs" ? shortTimeout : timeout);
const ids = checkGroups(timeout).flatMap(({ checks }) => checks.map(({ id }) => id));
const of = (...groups: string[]) => ids.filter((id) => groups.some((group) => id.startsWith(`${group}/`)));
const genuine = of("event", "bytes", "again", "slow");

const closing: Receiver[] = [];
afterAll(async () => {
  for (const receiver of closing) await receiver.close();
});

async function receiver(name: keyof typeof behaviours, slowness = 0): Promise<Receiver> {
  const started = await startFaulty(name, slowness);
  closing.push(started);
  return started;
}

const idsOf = ({ results }: ReceiverReport, wanted: CheckResult["verdict"]) =>
  results.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

const saysOf = ({ results }: ReceiverReport, wanted: string) => results.find(({ id }) => id === wanted)?.says;

// Most of the time of a check is pauses between pieces and before an answer is read, so the checks of several receivers overlap.
describe.concurrent("the report names exactly what a receiver does wrong", () => {
  type Expected = { fail?: string[]; advice?: string[]; skipped?: string[] };
  const ofOtherLength = ["missing", "empty", "truncated", "longer", "prefixed", "not-ascii"].map(
    (name) => `forged/${name}`,
  );
  const expected: Record<keyof typeof behaviours, Expected> = {
    right: {},
    "does not look at signatures": {
      fail: of("forged").filter((id) => id !== "forged/empty-body" && id !== "forged/uppercase"),
      advice: ["forged/uppercase"],
    },
    "checks JSON that it wrote anew": { fail: ["bytes/escaped", "bytes/spacing"] },
    "fails at what it has seen before": { fail: ["again/duplicate", "again/retry"] },
    "fails once": { fail: ["event/verification.completed"] },
    redirects: { fail: [...genuine, ...of("forged"), "odd/invalid-json"], advice: ["odd/unknown-event"] },
    hangs: { fail: [...ids.slice(0, 3), "time/answers"], skipped: ids.slice(3, -1) },
    "has another secret": { fail: [...genuine, "odd/invalid-json"], advice: ["odd/unknown-event"] },
    "takes hex in any case": { advice: ["forged/uppercase"] },
    "throws at signatures of another length": { fail: [...ofOtherLength, "odd/get"] },
    "dies of bad JSON": { fail: ["odd/invalid-json"] },
    "dies of a wrong signature": {
      fail: ["forged/wrong"],
      skipped: [...of("forged").slice(1), ...of("odd")],
    },
    "takes everything": {
      fail: of("forged").filter((id) => id !== "forged/uppercase"),
      advice: ["forged/uppercase", "odd/get", "odd/invalid-json"],
    },
    "takes small bodies only": { fail: ["bytes/large"] },
    "refuses kinds that it does not know": { advice: ["odd/unknown-event"] },
  };

  test.each(Object.keys(behaviours) as (keyof typeof behaviours)[])("one that %s", async (name) => {
    const { url } = await receiver(name);
    const report = await checkReceiver({ url, secret, timeout: timeoutFor(name) });
    const { fail = [], advice = [], skipped = [] } = expected[name];
    expect({ fail: idsOf(report, "fail"), advice: idsOf(report, "advice") }).toEqual({ fail, advice });
    expect(idsOf(report, "skipped")).toEqual(skipped);
    expect(report.results.map(({ id }) => id)).toEqual(ids);
    expect(report.passed).toBe(fail.length === 0);
    expect(report.counts).toEqual({
      pass: ids.length - fail.length - advice.length - skipped.length,
      fail: fail.length,
      advice: advice.length,
      skipped: skipped.length,
    });
  });

  test("a receiver that takes the first part of a body for the whole", async () => {
    const server = createServer((request, response) => {
      request.once("data", (body: Buffer) => {
        const status = rightStatus({ path: "/", headers: request.headers, body });
        response.writeHead(status).end();
      });
      request.once("end", () => response.headersSent || response.writeHead(401).end());
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const report = await checkReceiver({ url, secret, timeout, only: ["event", "slow"] });
    server.close();
    expect(idsOf(report, "fail")).toEqual(["slow/sender"]);
  });

  test("the time of an answer begins with the last piece of a body that is sent slowly", async () => {
    let spread = 0;
    const server = createServer(async (request, response) => {
      const begun = performance.now();
      await request.toArray();
      spread = performance.now() - begun;
      response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const report = await checkReceiver({ url, secret, timeout: 5_000, only: ["slow/sender"] });
    server.close();
    const [answer] = report.results.find(({ id }) => id === "slow/sender")?.answered ?? [];
    expect(answer?.status).toBe(204);
    expect(answer?.duration_ms).toBeLessThan(spread);
  });

  test("a receiver that needs more than half of the time limit is advised to answer first", async () => {
    const { url } = await receiver("right", 1_300);
    const report = await checkReceiver({ url, secret, timeout, only: ["event/payout.paid", "time"] });
    expect(idsOf(report, "advice")).toEqual(["time/answers"]);
    expect(saysOf(report, "time/answers")).toMatch(
      /of 1 answers took [\d.]+ s \(event\/payout\.paid\), more/,
    );
  });
});

describe("each sentence says what happened and what was expected", () => {
  test.each<[keyof typeof behaviours, string, RegExp]>([
    ["redirects", "event/payout.paid", /answered 302, and redirects are not followed; expected a 2xx/],
    ["takes everything", "forged/wrong", /answered 200: it accepted a forged delivery; expected a 4xx/],
    [
      "throws at signatures of another length",
      "forged/empty",
      /answered 500: a forged delivery can crash it; e/,
    ],
    ["fails at what it has seen before", "again/duplicate", /answered 204, then 500; expected a 2xx to/],
    ["hangs", "event/payout.paid", /gave no answer within 500 ms; expected a 2xx/],
  ])("where a receiver %s: %s", async (name, only, says) => {
    const { url } = await receiver(name);
    const report = await checkReceiver({ url, secret, timeout: timeoutFor(name), only: [only] });
    expect(saysOf(report, only)).toMatch(says);
  });

  test("if the receiver fails, the same bytes are sent again", async () => {
    const hook = await receiver("fails once");
    const report = await checkReceiver({
      url: hook.url,
      secret,
      timeout,
      only: ["event/payout.paid", "again/retry"],
    });
    expect(saysOf(report, "again/retry")).toBe("The receiver answered 500, then 204.");
    const [first, again] = hook.received;
    expect([again?.body, again?.headers["x-service-signature"]]).toEqual([
      first?.body,
      first?.headers["x-service-signature"],
    ]);
  });

  test("if the receiver never fails, the connection is closed before its answer and the same bytes are sent again", async () => {
    const hook = await receiver("right");
    await checkReceiver({ url: hook.url, secret, timeout, only: ["again/retry"] });
    const [first, again, ...more] = await hook.got(2);
    expect([again?.body, more]).toEqual([first?.body, []]);
  });

  test("if all genuine deliveries are refused, a single hint names the cause", async () => {
    const { url } = await receiver("has another secret");
    const { hints } = await checkReceiver({ url, secret, timeout, only: ["event", "bytes"] });
    expect(hints).toEqual([expect.stringContaining("Does the receiver use this secret?")]);
  });
});

describe("the test deliveries", () => {
  const sent = async (seed: string, only: string[]) => {
    const hook = await receiver("right");
    await checkReceiver({ url: hook.url, secret, timeout, seed, only });
    return hook.received;
  };

  test("are the documented payloads of all sixteen kinds, each about a separate record", async () => {
    const payloads = (await sent("one", ["event"])).map(({ body }) => JSON.parse(String(body)));
    expect(payloads.map(({ event }) => event)).toEqual(eventKinds);
    for (const payload of payloads) {
      const validate = await compileValidator(payloadSchema(payload.event as EventKind));
      expect([payload.event, validate(payload)]).toEqual([payload.event, true]);
    }
    const records = payloads.map(({ id, job_id, data }) => `${id ?? job_id} ${data.id}`);
    expect(new Set(records).size).toBe(payloads.length);
  });

  test("have the same ids with the same seed, and different ids with another", async () => {
    const idsUnder = async (seed: string) =>
      (await sent(seed, ["event/payout.paid"])).map(({ body }) => JSON.parse(String(body)).id as string);
    const [one, again, other] = [await idsUnder("one"), await idsUnder("one"), await idsUnder("two")];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one).toEqual([expect.stringMatching(/^evt_/)]);
  });

  test("include unusual but valid JSON that describes the same records", async () => {
    const bodies = (await sent("one", ["bytes"])).map(({ body }) => body);
    const [text, escaped, spaced, large] = bodies.map(String);
    expect(bodies[0]?.length).toBeGreaterThan(text?.length ?? 0);
    expect(escaped).toMatch(/^[\x20-\x7e]*\\u20a6[\x20-\x7e]*\\\/[\x20-\x7e]*$/);
    expect(spaced).toMatch(/^\{\n\t"data" {2}: {3}\{\n\t\t"reason"[\s\S]*"id" {2}: {3}"evt_\w+"\n\}\n$/);
    expect(large?.length).toBeGreaterThan(100 * 1024);
    const validate = await compileValidator(payloadSchema("refund.requested"));
    const payloads = bodies.map((body) => JSON.parse(String(body)));
    expect(payloads.map((payload) => validate(payload))).toEqual([true, true, true, true]);
    expect(payloads[1].data.reason).toBe(payloads[0].data.reason);
  });

  test("differ from genuine ones only in what the check names", async () => {
    const [wrong, changed, uppercase] = await sent("one", [
      "forged/wrong",
      "forged/changed-byte",
      "forged/uppercase",
    ]);
    const right = (body: Buffer) => expectedSignature(body, secret);
    const signature = (of: typeof wrong) => String(of?.headers["x-service-signature"]);
    expect(signature(wrong).slice(0, 63)).toBe(right(wrong?.body as Buffer).slice(0, 63));
    expect(signature(uppercase).toLowerCase()).toBe(right(uppercase?.body as Buffer));
    const original = String(changed?.body).replace('"amount":9000', '"amount":7000');
    expect([signature(changed), original.length]).toEqual([
      right(Buffer.from(original)),
      changed?.body.length,
    ]);
  });
});

test("nothing is sent if nothing listens or a check does not exist", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  await expect(checkReceiver({ url, secret })).rejects.toThrow(/nothing listens at .* \(ECONNREFUSED\)/);
  await expect(checkReceiver({ url: "ftp://127.0.0.1/", secret })).rejects.toThrow(
    /not an http or https URL/,
  );
  const hook = await receiver("right");
  await expect(checkReceiver({ url: hook.url, secret, only: ["forgd"] })).rejects.toThrow(
    /no check "forgd"; the groups are event, bytes, again, slow, forged, odd, time/,
  );
  expect(hook.received).toEqual([]);
});
