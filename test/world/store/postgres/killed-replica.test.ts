import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, startReplica } from "../../../support/postgres.js";
import { startReceiver } from "../../../support/receiver.js";
import { call, post } from "../../../support/sandbox.js";

const phone = "08031234567";

test("the webhook of an account whose owner was killed is sent by another replica, though nobody asks for the account", async () => {
  const database = await freshDatabase();
  // The owner is killed while its attempt waits for this reply.
  const receiver = await startReceiver((count, response) => count > 1 && response.end());
  onTestFinished(() => receiver.close());
  const [owner, other] = [await startReplica(database), await startReplica(database)];
  const notified = owner.account("svc_test_notified");
  await post(notified, "/v1/webhooks", { url: receiver.url });
  await notified.events.trigger("payout.paid");
  await receiver.got(1);
  const asked = owner.account("svc_test_asked");
  const { body } = await post(asked, "/v1/phone/verify/start", { phone });
  await owner.stop("SIGKILL");
  const [first, second] = (await receiver.got(2)).map(({ body }) => String(body));
  expect(second).toBe(first);
  // A request waits until the account can be taken over.
  const reply = await call(other.account("svc_test_asked"), "GET", `/_sandbox/records/${body.id}`);
  expect([reply.status, reply.body.id]).toEqual([200, body.id]);
});

test("the accounts of a killed owner are taken over at the first request for one of them, without the end of its lease", async () => {
  const database = await freshDatabase();
  const [owner, other] = [await startReplica(database), await startReplica(database)];
  const key = "svc_test_killed";
  await post(owner.account(key), "/v1/phone/verify/start", { phone });
  await owner.stop("SIGKILL");
  await database.query(
    "UPDATE standin_replica SET lease_until = lease_until + interval '1 h' WHERE url = $1",
    [owner.url],
  );
  const here = other.account(key);
  expect((await post(here, "/v1/phone/verify/start", { phone })).status).toBe(201);
  const { items } = (await call(here, "GET", "/_sandbox/machines/phone_verification/records")).body;
  expect(items).toHaveLength(2);
});
