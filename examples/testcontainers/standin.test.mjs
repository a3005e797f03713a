// npm install --save-dev testcontainers, then: node --test. The image is built from deploy/Containerfile and tagged standin.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GenericContainer, Wait } from "testcontainers";

let container;
let url = "";
before(async () => {
  container = await new GenericContainer("standin")
    .withEnvironment({ STANDIN_CONTROL: "open", STANDIN_MEMORY: "true" })
    .withExposedPorts(4010)
    .withWaitStrategy(Wait.forHttp("/healthz", 4010))
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(4010)}`;
});
after(() => container.stop());

test("a person gets a code and verifies a phone", async () => {
  const headers = { "X-Service-Key": `svc_test_${crypto.randomUUID()}`, "Content-Type": "application/json" };
  const post = async (path, body) =>
    (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { id } = await post("/v1/phone/verify/start", { phone: "08031234567" });
  const inbox = await fetch(`${url}/_sandbox/inbox/wait?to=08031234567`, { headers });
  const { codes } = await inbox.json();
  const { verified } = await post("/v1/phone/verify/check", { id, code: codes[0] });
  assert.equal(verified, true);
});
