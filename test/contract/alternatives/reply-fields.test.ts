import { expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { ask, byId } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const sandbox = useAlternative("verification.reply_fields", "all");
const contract = useContract(sandbox);
const plain = useSandbox();

const verifications = byId(({ route }) => /^POST \/v1\/verify\/[a-z-]+$/.test(route));

test.each(verifications)(
  "%s replies with each field that the interface marks where present",
  async (_id, operation) => {
    const reply = await ask(sandbox.account(), operation);
    expect(reply.body).toMatchObject({
      cost: expect.any(Number),
      currency: "NGN",
      is_test: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    contract().expectDescribes(operation, reply);
  },
);

test.each(verifications)("%s replies without the time by default", async (_id, operation) => {
  expect((await ask(plain.account(), operation)).body).not.toHaveProperty("created_at");
});
