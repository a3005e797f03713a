/** LiveKit's own verifier reads the tokens of streaming sessions as a media server in development mode does. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TokenVerifier } from "livekit-server-sdk";
import { startSandbox } from "../../dist/index.js";

let sandbox;
let token = "";
before(async () => {
  sandbox = await startSandbox();
  const { key } = sandbox.account();
  const reply = await fetch(`${sandbox.url}/v1/streaming/video/token`, {
    method: "POST",
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({
      identity: "ada",
      role: "publisher",
      room_name: "clinic",
      display_name: "Ada Obi",
    }),
  });
  ({ token } = await reply.json());
});
after(() => sandbox.close());

test("a token is accepted: issuer, identity, name, an hour, and the room", async () => {
  const claims = await new TokenVerifier("devkey", "secret").verify(token);
  assert.equal(claims.exp - claims.nbf, 3_600);
  const { iss, sub, name, video } = claims;
  assert.deepEqual(
    { iss, sub, name, video },
    {
      iss: "devkey",
      sub: "ada",
      name: "Ada Obi",
      video: {
        room: "clinic",
        roomJoin: true,
        canPublish: true,
        canSubscribe: true,
        canPublishData: true,
      },
    },
  );
});

test("a token is refused with a different secret or key", async () => {
  await assert.rejects(new TokenVerifier("devkey", "another secret").verify(token), /signature/);
  await assert.rejects(new TokenVerifier("another key", "secret").verify(token), /iss/);
});
