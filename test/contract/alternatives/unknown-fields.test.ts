import { describe, expect, test } from "vitest";
import { png } from "../../support/forms.js";
import { call, post, type Reply, useSandbox } from "../../support/sandbox.js";
import { ask, byId, takesInput } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const search = "colour=red";
const fields = { colour: "red" };

function expectUnknown({ status, body }: Reply, param = "colour"): void {
  expect(body.error).toMatchObject({ code: "unknown_field", param });
  expect(status).toBe(400);
}

describe("refused", () => {
  const sandbox = useAlternative("fields.unmarked", "refused");
  const contract = useContract(sandbox);

  test.each(byId())("%s refuses an unknown field in the query", async (_id, operation) => {
    const reply = await ask(sandbox.account(), operation, { search });
    if (operation.query)
      expect(reply.body.error.details.map(({ param }: { param: string }) => param)).toContain("colour");
    else expectUnknown(reply);
    expect(contract().codes(operation, 400)).toContain("unknown_field");
    contract().expectDescribes(operation, reply);
  });

  test.each(byId(takesInput))("%s refuses an unknown field in its body or form", async (_id, operation) => {
    expectUnknown(await ask(sandbox.account(), operation, { fields }));
  });

  test.each(byId(({ upload }) => upload))(
    "%s refuses a file that it has no field for",
    async (_id, operation) => {
      expectUnknown(await ask(sandbox.account(), operation, { files: { colour: png } }));
    },
  );

  test.each(byId(takesInput))(
    "the contract of %s allows no additional fields in the body",
    (_id, operation) => {
      const [content] = Object.values<{ schema: object }>(contract().entry(operation).requestBody.content);
      expect(contract().follow(content?.schema)).toMatchObject({ additionalProperties: false });
    },
  );

  test("a nested field is named by its path, and the fields of a message are all known", async () => {
    const account = sandbox.account();
    const [line] = (await call(account, "GET", "/v1/wa/channels")).body;
    const image = { link: "https://shop.example/a.png", colour: "red" };
    const reply = await post(account, `/v1/wa/channels/${line.id}/send`, { to: "2348031234567", image });
    expectUnknown(reply, "image.colour");
    expect(reply.body.error.message).toContain("caption");
  });

  test("a request with known fields only is accepted", async () => {
    const account = sandbox.account();
    const body = { phone: "08031234567", reference: "order-7" };
    expect((await post(account, "/v1/phone/verify/start", body)).status).toBe(201);
    const usage = await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-01-02");
    expect(usage.status).toBe(200);
  });
});

describe("ignored, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test.each(byId())("%s ignores unknown fields", async (_id, operation) => {
    const { body } = await ask(sandbox.account(), operation, { search, fields });
    expect(JSON.stringify(body)).not.toMatch(/unknown_field|colour/);
    // A file in an unknown field is refused even so, since its upload has no effect.
    if (contract().statuses(operation).includes(400))
      expect(contract().codes(operation, 400).includes("unknown_field")).toBe(Boolean(operation.upload));
  });
});
