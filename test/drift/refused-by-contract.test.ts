/** What the service refuses for the values of its body is invalid by the OpenAPI document too. */
import { expect, test } from "vitest";
import { createAjv } from "../../src/contract/ajv.js";
import { methodOf, pathOf } from "../../src/contract/operation.js";
import type { CheckedSide } from "../../src/drift/checks/check.js";
import { checks } from "../../src/drift/checks/index.js";
import { errorCodeOf, ServiceClient } from "../../src/drift/service-client.js";
import { sharedCalls } from "../../src/drift/verdicts.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { meansFor } from "./second-sandbox.js";

const sandbox = useListeningSandbox();

type Called = {
  request: Parameters<ServiceClient["call"]>[1];
  reply: Awaited<ReturnType<ServiceClient["call"]>>;
};

class RecordingClient extends ServiceClient {
  readonly called: Called[] = [];

  override async call(...[id, request]: Parameters<ServiceClient["call"]>) {
    const reply = await super.call(id, request);
    this.called.push({ request, reply });
    return reply;
  }
}

interface Document {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>;
}

test("every body that is refused with 400 is invalid by the contract, but for amounts with a third decimal", async () => {
  const means = await meansFor(sandbox.account());
  const service = new RecordingClient(means.service.options);
  const side: CheckedSide = { ...means, service, once: sharedCalls(), pass: means.sleep, now: () => 0 };
  const asked = checks.filter(
    ({ id, kind }) => kind === "error" || (kind === "limit" && !id.endsWith(".size")),
  );
  for (const check of asked) await check.observe(side);
  await means.receiver.close();

  const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Document;
  const ajv = createAjv().addSchema({ ...document, $id: "document" });
  const isValid = ({ request, reply: { operation } }: Called): boolean => {
    const { content } = document.paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()]
      ?.requestBody ?? {
      content: {},
    };
    const text = JSON.stringify(content["application/json"]?.schema).replaceAll('"#/', '"document#/');
    return ajv.validate(JSON.parse(text), request?.body);
  };
  const refused = service.called.filter(
    ({ request, reply }) => reply.status === 400 && request?.body && !request.files && !request.rawBody,
  );
  expect(refused.length).toBeGreaterThan(100);
  const valid = refused
    .filter(isValid)
    .map(({ reply }) => `${reply.operation.id} ${errorCodeOf(reply.body)}`);
  // `multipleOf: 0.01` would make validators refuse amounts such as 2000.3, whose quotient is no whole number in binary.
  expect([...new Set(valid)]).toEqual(
    ["createCharge", "simulatePayment", "createPayout", "createRefund"].map(
      (id) => `${id} amount_not_in_kobo`,
    ),
  );
});
