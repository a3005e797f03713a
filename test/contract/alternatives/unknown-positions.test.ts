import { expect, test } from "vitest";
import { post } from "../../support/sandbox.js";
import { named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const sandbox = useAlternative("address.unknown_position", "null");
const contract = useContract(sandbox);

test("an address that is not found has no position, and the contract says so", async () => {
  const asked = { address: "12 Allen Avenue, Atlantis", full_name: "Adaeze Okafor", country: "NG" };
  const reply = await post(sandbox.account(), "/v1/verify/address", asked);
  expect(reply.body.address).toMatchObject({ precision: "unknown", latitude: null, longitude: null });
  contract().expectDescribes(named("verifyAddress"), reply);
});
