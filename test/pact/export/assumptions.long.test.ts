import { beforeAll, expect, test } from "vitest";
import type { ExportedPact, SandboxAccount } from "../../../src/index.js";
import { isLong, shareOf } from "../../support/repetitions.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { failures, verify } from "./verified.js";

const sandbox = useSandbox();
const switched = {
  "http.created": "ok",
  "errors.body": "problem",
  "errors.validation_status": "422",
  "errors.other_statuses": "400",
  "phone.ended": "refused",
  "phone.code_reuse": "again",
  "lookup.not_found": "refused",
  "business.reference_reuse": "returned",
};
const other = useSandbox({ assumptions: switched });

/** A signup that depends on many assumptions. */
async function signUp(account: SandboxAccount): Promise<void> {
  const { id } = (await post(account, "/v1/phone/verify/start", { phone: "08095551234" })).body;
  const [code] = (await account.inbox.wait()).codes;
  await post(account, "/v1/phone/verify/check", { id, code });
  await post(account, "/v1/phone/verify/check", { id, code });
  const late = (await post(account, "/v1/phone/verify/start", { phone: "08095551235" })).body;
  await account.advance("11m");
  await post(account, "/v1/phone/verify/check", { id: late.id, code: "123456" });
  await post(account, "/v1/verify/bvn", { bvn: "22222222221" });
  await post(account, "/v1/verify/bvn", { bvn: "225" });
  await post(account, "/v1/verify/bvn", { bvn: "22512345678", mothers_name: "Adunni" });
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com", reference: "member-7" };
  await post(account, "/v1/business/virtual-accounts", customer);
  const profile = { business_name: "Obi Gym", business_type: "individual", contact_phone: "08095551234" };
  await account.fetch("/v1/business/profile", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(profile),
  });
  await post(account, "/v1/business/virtual-accounts", customer);
  await post(account, "/v1/business/virtual-accounts", customer);
}

let pact: ExportedPact["pact"];
beforeAll(async () => {
  const account = sandbox.account();
  await signUp(account);
  ({ pact } = await account.pact({ consumer: "signup" }));
});

const started = "a startPhoneVerification that answers 201";
const again = "a checkPhoneVerification that answers 200 with verified false and status verified";
const late = "a checkPhoneVerification that answers 200 with verified false and status expired";
const nobody = "a verifyBvn that answers 200 (not_found)";
const short = "a verifyBvn that answers 400 invalid_bvn";
const unmarked = "a verifyBvn that answers 200";
const unready = "a createVirtualAccount that answers 422 business_profile_required";
const opened = "a createVirtualAccount that answers 201";
const taken = "a createVirtualAccount that answers 409 duplicate_reference";

test("recorded answers are given again", async () => {
  const { passed, interactions } = await verify(pact);
  expect([passed, interactions.map(({ description }) => description)]).toEqual([
    true,
    [
      started,
      again.replace("verified false", "verified true"),
      again,
      late,
      nobody,
      short,
      unmarked,
      unready,
      "a saveBusinessProfile that answers 200",
      opened,
      taken,
    ],
  ]);
});

/** Assumption, its other value, and the interactions that then fail, with the reason. */
const changes: readonly [id: string, value: string, red: Record<string, string>][] = [
  ["http.created", "ok", { [started]: "expected 201, got 200", [opened]: "expected 201, got 200" }],
  ["phone.code_reuse", "again", { [again]: "body $.verified" }],
  ["phone.ended", "refused", { [late]: "code_expired" }],
  ["lookup.not_found", "refused", { [nobody]: "resource_not_found" }],
  ["errors.validation_status", "422", { [short]: "expected 400, got 422" }],
  ["fields.unmarked", "refused", { [unmarked]: "unknown_field" }],
  ["business.reference_reuse", "returned", { [taken]: "expected 409" }],
  ["webhooks.headers", "extended", {}],
];

/** Changes that are made at the same time: those of a group have no interaction in common. */
const groups = isLong ? changes.map((change) => [change]) : [0, 1].map((turn) => shareOf(changes, 2, turn));

test.each(
  groups.map(
    (group) => [group.map(([id, value]) => `${id} switched to ${value}`).join(", "), group] as const,
  ),
)("with %s, only what depends on it fails", async (_names, group) => {
  const found = failures(await verify(pact, Object.fromEntries(group.map(([id, value]) => [id, value]))));
  const red: Record<string, string> = Object.assign({}, ...group.map(([, , ofChange]) => ofChange));
  expect(Object.keys(found).sort()).toEqual(Object.keys(red).sort());
  for (const [description, why] of Object.entries(red)) expect(found[description]?.join("\n")).toContain(why);
});

test("answers under other assumptions are met under those assumptions only", async () => {
  const account = other.account();
  await signUp(account);
  const exported = (await account.pact()).pact;
  expect(failures(await verify(exported, switched))).toEqual({});
  expect(Object.keys(failures(await verify(exported)))).toEqual(
    expect.arrayContaining([
      "a startPhoneVerification that answers 200",
      "a checkPhoneVerification that answers 410 code_expired",
      "a verifyBvn that answers 404 resource_not_found (not_found)",
    ]),
  );
});
