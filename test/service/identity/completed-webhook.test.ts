import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { expectedSignature, type Received, type Receiver, registerReceiver } from "../../support/receiver.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { type CheckId, lookupIds, modes, photoIds, send } from "./checks.js";
import { expected } from "./expected.js";

const sandbox = useSandbox();

interface Holder {
  first_name: string;
  address: string;
}

async function listening(mode: "test" | "live" = "test") {
  const account = sandbox.account({ mode });
  await account.clock.freeze("2026-01-01T00:00:00.000Z");
  return { account, hook: await registerReceiver(account) };
}

/** The clock is frozen; events leave when it is advanced. */
async function delivered(account: SandboxAccount, hook: Receiver): Promise<Received[]> {
  await account.advance("0s");
  return hook.received;
}

const payloadOf = (delivery: Received | undefined) => JSON.parse(String(delivery?.body));

/** Content of verification.completed for each check and outcome, besides type and status. */
const carried: [id: CheckId, outcome: string, data: object][] = [
  ["verifyLiveness", "live", { document_type: "selfie", checks: { live: true }, extracted: {} }],
  ["verifyLiveness", "spoof", { document_type: "selfie", checks: { live: false }, extracted: {} }],
  ["verifyFaceMatch", "match", { document_type: "id_photo", checks: { same_person: true }, extracted: {} }],
  [
    "verifyFaceMatch",
    "no_match",
    { document_type: "id_photo", checks: { same_person: false }, extracted: {} },
  ],
];
const types: Partial<Record<CheckId, string>> = {
  verifyLiveness: "liveness",
  verifyFaceMatch: "face_match",
};

describe.each(modes)("verification.completed on a %s key", (mode) => {
  test.each(carried)("of %s that is %s has exactly the documented payload", async (id, outcome, data) => {
    const { account, hook } = await listening(mode);
    const { body } = await send(account, id, {}, { "X-Sandbox-Outcome": outcome });
    const [delivery] = await delivered(account, hook);
    expect(payloadOf(delivery)).toEqual({
      event: "verification.completed",
      job_id: body.id,
      created_at: "2026-01-01T00:00:00.000Z",
      data: { type: types[id], status: "success", ...data },
    });
  });

  test.each([
    ["adaeze.png", "drivers_licence", true, "Federal Road Safety Corps"],
    ["emeka.png", "drivers_licence", false, "Federal Road Safety Corps"],
    ["hauwa.png", "national_id", true, "National Identity Management Commission"],
  ])(
    "of the document %s has the type %s, its checks and what was read, the holder's address included",
    async (file, document_type, not_expired, issuer) => {
      const { account, hook } = await listening(mode);
      const { items: people } = await account.control<{ items: Holder[] }>("GET", "/people");
      const { body } = await send(account, "verifyDocument", { file });
      const [delivery] = await delivered(account, hook);
      const { full_name, expiry_date } = body.data;
      const holder = people.find(({ first_name }) => full_name.startsWith(first_name));
      expect(payloadOf(delivery)).toEqual({
        event: "verification.completed",
        job_id: body.id,
        created_at: "2026-01-01T00:00:00.000Z",
        data: {
          type: "document",
          status: "success",
          document_type,
          checks: { readable: true, not_expired, address_extracted: true },
          extracted: { full_name, address: holder?.address, issuer, expiry_date },
        },
      });
    },
  );

  test.each(photoIds)("of %s is signed with the endpoint's secret and sent once", async (id) => {
    const { account, hook } = await listening(mode);
    await send(account, id);
    const [delivery] = await delivered(account, hook);
    expect(delivery?.headers["x-service-signature"]).toBe(
      expectedSignature(delivery?.body as Buffer, hook.secret),
    );
    await account.advance("1h");
    expect(hook.received).toHaveLength(1);
    expect(await account.events.list()).toHaveLength(1);
  });
});

test("a document's event does not have its number", async () => {
  const { account, hook } = await listening();
  const { body } = await send(account, "verifyDocument");
  const [delivery] = await delivered(account, hook);
  expect(String(delivery?.body)).not.toContain(body.data.document_number);
});

test.each(lookupIds)("%s sends no event, whatever it finds", async (id) => {
  const { account, hook } = await listening();
  for (const outcome of ["match", "partial_match", "no_match", "not_found"])
    expect((await send(account, id, {}, { "X-Sandbox-Outcome": outcome })).status).toBe(200);
  await account.advance("1h");
  expect(hook.received).toEqual([]);
  expect(await account.events.list()).toEqual([]);
});

test.each(photoIds)("%s that is refused sends no event", async (id) => {
  const { account, hook } = await listening();
  const refused = Object.entries(expected[id]).filter(([, { status }]) => status >= 400);
  for (const [outcome, { status }] of refused)
    expect((await send(account, id, {}, { "X-Sandbox-Outcome": outcome })).status).toBe(status);
  await account.update({ balance: 0 });
  expect((await send(account, id)).status).toBe(402);
  await account.advance("1h");
  expect(hook.received).toEqual([]);
  expect(await account.events.list()).toEqual([]);
});

test("an endpoint that is registered for other events gets none", async () => {
  const { account, hook } = await listening();
  await post(account, "/v1/webhooks", { url: hook.url, events: ["payout.paid"] });
  await send(account, "verifyLiveness");
  await account.advance("1h");
  expect(hook.received).toEqual([]);
  expect(await account.events.list({ event: "verification.completed" })).toHaveLength(1);
});
