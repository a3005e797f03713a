import { describe, expect, test } from "vitest";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

const phone = "08031234567";

describe("omitted, the default", () => {
  const sandbox = useSandbox();

  test("null for an optional field is the same as leaving it out", async () => {
    const account = sandbox.account();
    const started = await post(account, "/v1/phone/verify/start", { phone, template: null, reference: null });
    expect(started).toMatchObject({ status: 201, body: { reference: null } });
    const audit = await post(account, "/v1/audits", { url: "https://example.com", tier: null });
    expect(audit).toMatchObject({ status: 201, body: { status: "ready" } });
    const names = { first_name: null, last_name: null, date_of_birth: null };
    const lookup = await post(account, "/v1/verify/bvn", { bvn: "22301948576", ...names });
    expect(lookup).toMatchObject({ status: 200, body: { confidence_score: 100 } });
  });

  test("this holds in nested fields too", async () => {
    const account = sandbox.account();
    const [line] = (await call(account, "GET", "/v1/wa/channels")).body;
    const image = { link: "https://shop.example/a.png", caption: null };
    const sent = await post(account, `/v1/wa/channels/${line.id}/send`, {
      to: "2348031234567",
      text: null,
      image,
    });
    expect(sent.status).toBe(200);
  });

  test("null for a required field is refused", async () => {
    const { status, body } = await post(sandbox.account(), "/v1/phone/verify/start", { phone: null });
    expect([status, body.error.code, body.error.param]).toEqual([400, "validation_error", "phone"]);
  });
});

describe("refused", () => {
  const sandbox = useAlternative("fields.null", "refused");

  test("null for an optional field is not of its type", async () => {
    const { status, body } = await post(sandbox.account(), "/v1/phone/verify/start", {
      phone,
      reference: null,
    });
    expect([status, body.error.code, body.error.param]).toEqual([400, "validation_error", "reference"]);
  });
});
