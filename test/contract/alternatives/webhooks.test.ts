import { describe, expect, onTestFinished, test } from "vitest";
import { type EventKind, eventKinds } from "../../../src/service/webhooks/events.js";
import { openShop } from "../../service/business/shop.js";
import { mainLine } from "../../service/channels/line.js";
import {
  expectedSignature,
  type RegisteredReceiver,
  registerReceiver,
  startReceiver,
} from "../../support/receiver.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { type ServedContract, useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

type Received = RegisteredReceiver["received"][0];
type Account = ReturnType<ReturnType<typeof useSandbox>["account"]>;

const ours = ["x-service-event", "x-service-delivery", "x-service-attempt"];

async function startWebsite() {
  const website = await startReceiver();
  onTestFinished(website.close);
  return website;
}

/** Returns one delivery of each kind, in the order of the list. */
async function oneOfEach(account: Account): Promise<RegisteredReceiver> {
  const hook = await registerReceiver(account);
  for (const [index, kind] of eventKinds.entries()) {
    await account.events.trigger(kind);
    await hook.got(index + 1);
  }
  return hook;
}

/** Returns the header parameters of a kind's webhook. */
const headersIn = ({ document }: ServedContract, kind: EventKind): string[] =>
  document.webhooks[kind].post.parameters.map(({ name }: { name: string }) => name.toLowerCase());

const payloadIn = (kind: EventKind): string => `/webhooks/${kind}/post/requestBody/content/application~1json`;

describe("webhooks.headers=extended", () => {
  const sandbox = useAlternative("webhooks.headers", "extended");
  const contract = useContract(sandbox);

  test("every kind is sent with the additional headers of its contract, and signed as usual", async () => {
    const account = sandbox.account();
    const hook = await oneOfEach(account);
    const deliveries = (await account.deliveries.list()).reverse();
    for (const [index, kind] of eventKinds.entries()) {
      const { headers, body } = hook.received[index] as (typeof hook.received)[0];
      const { id } = deliveries[index] as (typeof deliveries)[0];
      expect(headers).toMatchObject({
        "x-service-event": kind,
        "x-service-delivery": id,
        "x-service-attempt": "1",
      });
      expect(headers["x-service-signature"]).toBe(expectedSignature(body, hook.secret));
      expect(headersIn(contract(), kind)).toEqual(["x-service-signature", ...ours]);
    }
  });

  test("attempts are numbered, manual ones included, and the delivery log shows the numbers", async () => {
    const account = sandbox.account();
    const hook = await registerReceiver(account, {
      answer: (count, response) => response.writeHead(count < 3 ? 500 : 200).end(),
    });
    await account.events.trigger("payout.paid");
    await account.advance("10s");
    const [delivery] = await account.deliveries.list();
    await account.deliveries.retry(delivery?.id as string);
    await hook.got(4);
    await account.advance("1s");
    const attempts = ["1", "2", "3", "4"];
    expect(hook.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(attempts);
    expect(new Set(hook.received.map(({ headers }) => headers["x-service-delivery"]))).toEqual(
      new Set([delivery?.id]),
    );
    const [logged] = await account.deliveries.list();
    expect(logged?.attempts.map(({ request_headers }) => request_headers["X-Service-Attempt"])).toEqual(
      attempts,
    );
  });

  test("deliveries to the website of a channel have them too", async () => {
    const line = await mainLine(sandbox.account());
    const website = await startWebsite();
    await line.move(line.id, "connect_website", { url: website.url });
    await line.question();
    await line.hears("ngozi");
    const [delivery] = await website.got(1);
    expect(delivery?.headers).toMatchObject({ "x-service-event": "verification", "x-service-attempt": "1" });
  });
});

describe("webhooks.payload=bare", () => {
  const sandbox = useAlternative("webhooks.payload", "bare");
  const contract = useContract(sandbox);

  test("every kind has only event, time and data, as its contract says; the documented payload is unchanged", async () => {
    const account = sandbox.account();
    const hook = await oneOfEach(account);
    for (const [index, kind] of eventKinds.entries()) {
      const { headers, body } = hook.received[index] as (typeof hook.received)[0];
      const payload = JSON.parse(String(body));
      const documented = kind === "verification.completed" ? ["event", "job_id", "created_at", "data"] : null;
      expect(Object.keys(payload)).toEqual(documented ?? ["event", "created_at", "data"]);
      expect(payload.event).toBe(kind);
      expect(headers["x-service-signature"]).toBe(expectedSignature(body, hook.secret));
      contract().expectFits(`${payloadIn(kind)}/schema`, payload);
      contract().expectFits(
        `${payloadIn(kind)}/schema`,
        contract().document.webhooks[kind].post.requestBody.content["application/json"].example,
      );
    }
  });

  test("events that occur on their own are sent the same way", async () => {
    const account = sandbox.account();
    const hook = await registerReceiver(account);
    await (await openShop(account)).createNumber();
    const [delivery] = await hook.got(1);
    const payload = JSON.parse(String(delivery?.body));
    expect(Object.keys(payload)).toEqual(["event", "created_at", "data"]);
    expect(payload.event).toBe("virtual_account.created");
  });
});

describe("webhooks.secret=endpoint", () => {
  const sandbox = useAlternative("webhooks.secret", "endpoint");

  test("each endpoint has a secret of its own, which its registration returns each time", async () => {
    const account = sandbox.account();
    const hooks = [await registerReceiver(account), await registerReceiver(account)];
    const secrets = hooks.map(({ secret }) => secret);
    expect(new Set([...secrets, (await account.call("getAccount")).webhook_secret]).size).toBe(3);
    await account.events.trigger("payout.paid");
    for (const hook of hooks) {
      const [sent] = (await hook.got(1)) as [Received];
      expect(sent.headers["x-service-signature"]).toBe(expectedSignature(sent.body, hook.secret));
    }
    const again = await post(account, "/v1/webhooks", { url: hooks[0]?.url });
    expect([again.status, again.body.secret]).toEqual([200, secrets[0]]);
    const { items } = await account.control<{ items: { secret: string }[] }>("GET", "/webhooks");
    expect(items.map(({ secret }) => secret)).toEqual(secrets.reverse());
  });

  test("pacts of deliveries have the secret of the receiver", async () => {
    const account = sandbox.account();
    const { secret, got } = await registerReceiver(account);
    await account.events.trigger("payout.paid");
    await got(1);
    const { pact } = await account.pact({ of: "webhooks" });
    expect(pact.interactions).toMatchObject([{ providerStates: [{ params: { secret } }] }]);
  });

  test("the website of a channel is signed with the account's secret", async () => {
    const account = sandbox.account();
    const line = await mainLine(account);
    const website = await startWebsite();
    await line.move(line.id, "connect_website", { url: website.url });
    await line.question();
    await line.hears("ngozi");
    const [sent] = (await website.got(1)) as [Received];
    const { webhook_secret } = await account.call("getAccount");
    expect(sent.headers["x-service-signature"]).toBe(expectedSignature(sent.body, webhook_secret));
  });
});

describe("the defaults", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("every kind has only the documented header, an id and is_test, as its contract says", async () => {
    const hook = await oneOfEach(sandbox.account());
    for (const [index, kind] of eventKinds.entries()) {
      const { headers, body } = hook.received[index] as (typeof hook.received)[0];
      expect(Object.keys(headers).filter((name) => ours.includes(name))).toEqual([]);
      expect(headersIn(contract(), kind)).toEqual(["x-service-signature"]);
      const payload = JSON.parse(String(body));
      contract().expectFits(`${payloadIn(kind)}/schema`, payload);
      if (kind !== "verification.completed")
        expect(payload).toMatchObject({ id: expect.stringMatching(/^evt_/), is_test: true });
    }
  });
});

describe("webhooks.bytes", () => {
  const compact = useAlternative("webhooks.bytes", "compact");
  const spaced = useSandbox();

  /** Returns for each kind whether the body survives that a receiver parses and serialises it again. */
  const survivals = ({ received }: RegisteredReceiver) =>
    received.map(({ body }) => JSON.stringify(JSON.parse(String(body))) === String(body));

  test("compact: the bodies are as JSON.stringify writes them", async () => {
    const hook = await oneOfEach(compact.account());
    expect(survivals(hook)).toEqual(eventKinds.map(() => true));
  });

  test("spaced, the default: a receiver that verifies a body serialised again fails for every kind", async () => {
    const hook = await oneOfEach(spaced.account());
    expect(survivals(hook)).toEqual(eventKinds.map(() => false));
    for (const { headers, body } of hook.received)
      expect(headers["x-service-signature"]).toBe(expectedSignature(body, hook.secret));
  });
});
