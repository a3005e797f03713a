import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { away, far, inaccurate, locate, near, seen, started, submit } from "../service/address/checks.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const visit = (account: SandboxAccount, { id }: { id: string }, fix: object) =>
  post(account, `/_sandbox/address/${id}/visit`, fix);

describe("visiting an address", () => {
  test.each([
    ["at the address", near, "verified"],
    ["with an inaccurate phone", inaccurate, "review"],
    ["far away", far, "review"],
  ])("%s has the reply and effect of the location endpoint", async (_where, spot, status) => {
    const account = sandbox.account();
    const [visited, located] = [await started(account), await started(account)];
    const ofVisit = await visit(account, visited, spot(visited));
    const ofLocation = await locate(account, located, spot(located));
    expect(ofVisit.status).toBe(200);
    expect(ofVisit.body).toEqual({ ...ofLocation.body, id: visited.id });
    expect(ofVisit.body.status).toBe(status);
    const [one, other] = [await account.records.get(visited.id), await account.records.get(located.id)];
    expect(one.record).toEqual({
      ...other.record,
      id: visited.id,
      confirm_url: visited.confirm_url,
      expires_at: one.record.expires_at,
    });
  });

  test("is recorded in the history as made by the page", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await visit(account, check, far(check));
    await locate(account, check, near(check));
    const { history } = await account.records.get(check.id);
    expect(history.map(({ move, by }) => [move, by])).toEqual([
      ["look_up", "api"],
      ["locate", "page"],
      ["locate", "api"],
    ]);
  });

  test("sends verification.completed", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await visit(account, check, near(check));
    expect(await account.events.list()).toMatchObject([
      { event: "verification.completed", data: { type: "address", status: "verified" } },
    ]);
  });

  test("has the outcome that a rule sets for the location endpoint", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await account.rules.add({ on: "submitAddressLocation", outcome: "provider_timeout", times: 1 });
    const before = await seen(account, check);
    const refused = await visit(account, check, near(check));
    expect(refused).toMatchObject({ status: 504, body: { error: { code: "provider_timeout" } } });
    expect(await seen(account, check)).toEqual(before);
    expect((await visit(account, check, near(check))).status).toBe(200);
  });

  test.each([
    [{ latitude: 91 }, "validation_error", "latitude"],
    [{ accuracy_m: -1 }, "validation_error", "accuracy_m"],
    [{ longitude: undefined }, "missing_field", "longitude"],
  ])("with %j is refused", async (changes, code, param) => {
    const account = sandbox.account();
    const check = await started(account);
    const { status, body } = await visit(account, check, { ...near(check), ...changes });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, param });
  });

  test("is refused for a verified check (409), after 72 hours (410) and for an unknown id (404), without changes", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const [verified, expired] = [await started(account), await started(account)];
    await visit(account, verified, near(verified));
    const before = [await seen(account, verified), await seen(account, expired)];
    const refusals = [await visit(account, verified, near(verified))];
    refusals.push(await visit(account, { id: "ver_0" }, near(verified)));
    await account.advance("72h");
    refusals.push(await visit(account, expired, near(expired)));
    expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, "invalid_state"],
      [404, "resource_not_found"],
      [410, "link_expired"],
    ]);
    expect([await seen(account, verified), await seen(account, expired)]).toEqual(before);
  });
});

const move = (account: SandboxAccount, { id }: { id: string }, name: string, input?: unknown) =>
  post(account, `/_sandbox/records/${id}/moves/${name}`, input);
const checksOf = ({ record }: { record: { checks?: unknown } }) => record.checks;

describe("the move locate by hand", () => {
  test("without input puts the person at the address", async () => {
    const account = sandbox.account();
    const check = await started(account);
    const { status, body } = await move(account, check, "locate");
    expect(status).toBe(200);
    expect(body).toMatchObject({ machine: "address_check", state: "verified", moves: [] });
    expect(checksOf(body)).toMatchObject({ location: { status: "pass", points: 40, distance_m: 0 } });
    expect(body.history.at(-1)).toMatchObject({ move: "locate", from: "pending", by: "control" });
    expect(await account.events.list()).toMatchObject([{ event: "verification.completed" }]);
  });

  test("with input puts the person there", async () => {
    const account = sandbox.account();
    const check = await started(account);
    const { state, record } = await account.records.move(check.id, "locate", { ...away(check, 260, 80) });
    expect(state).toBe("review");
    expect(record.checks).toMatchObject({ location: { status: "partial", points: 20, accuracy_m: 80 } });
  });

  test("without input is refused if the address is not found, as its position is unknown", async () => {
    const account = sandbox.account();
    const check = await started(account, { address: "12 Nowhere Street" });
    const { status, body } = await move(account, check, "locate");
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "latitude" });
  });
});

describe("the move document by hand", () => {
  test("without input matches address and name", async () => {
    const account = sandbox.account();
    const { state, record, moves } = await account.records.move((await started(account)).id, "document");
    expect(state).toBe("review");
    expect(record.checks).toMatchObject({
      document: { status: "pass", points: 20, address_match: 100, name_match: true },
    });
    expect(moves).toEqual([
      { move: "locate", to: "computed" },
      { move: "document", to: "computed" },
    ]);
  });

  test.each([
    [{ address_match: 80 }, 20],
    [{ address_match: 79.9 }, 0],
    [{ address_match: 80, name_match: false }, 10],
    [{ name_match: false }, 10],
    [{ address_match: 0, name_match: true }, 0],
  ])("with %j gives %i points", async (input, points) => {
    const account = sandbox.account();
    const { record } = await account.records.move((await started(account)).id, "document", input);
    expect(record).toMatchObject({ confidence_score: 40 + points, checks: { document: { points } } });
  });
});

describe("invalid input of a move by hand", () => {
  test.each([
    ["locate", { latitude: 91, longitude: 3, accuracy_m: 1 }, "latitude"],
    ["locate", { latitude: "6", longitude: 3, accuracy_m: 1 }, "latitude"],
    ["locate", { latitude: 6, longitude: null, accuracy_m: 1 }, "longitude"],
    ["locate", { latitude: 6, longitude: 3 }, "accuracy_m"],
    ["locate", { latitude: 6, longitude: 3, accuracy_m: -1 }, "accuracy_m"],
    ["locate", { accuracy_m: 5 }, "latitude"],
    ["locate", { colour: "red" }, "latitude"],
    ["document", { address_match: 101 }, "address_match"],
    ["document", { address_match: -1 }, "address_match"],
    ["document", { address_match: null }, "address_match"],
    ["document", { address_match: "80" }, "address_match"],
    ["document", { name_match: "yes" }, "name_match"],
    ["document", { name_match: null }, "name_match"],
  ])("%s with %j gets validation_error and changes nothing", async (name, input, param) => {
    const account = sandbox.account();
    const check = await started(account);
    const before = await seen(account, check);
    const { status, body } = await move(account, check, name, input);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param });
    expect(await seen(account, check)).toEqual(before);
  });

  test.each(["[]", "null", '"here"', "7", "{"])("a body that is %s is refused", async (text) => {
    const account = sandbox.account();
    const check = await started(account);
    for (const name of ["locate", "document"]) {
      expect((await move(account, check, name, text)).status).toBe(400);
    }
    expect((await account.records.get(check.id)).state).toBe("pending");
  });
});

describe("an illegal move by hand", () => {
  test.each(["locate", "document", "look_up"])(
    "%s on a verified check is 409, since no move is legal",
    async (name) => {
      const account = sandbox.account();
      const check = await started(account);
      await locate(account, check, near(check));
      const before = await seen(account, check);
      const { status, body } = await move(account, check, name);
      expect(status).toBe(409);
      expect(body.error.code).toBe("invalid_state");
      expect(body.error.message).toContain("nothing moves it from there");
      expect(await seen(account, check)).toEqual(before);
    },
  );

  test.each(["look_up", "verify", "constructor"])(
    "%s on an open check is 409 and names locate and document",
    async (name) => {
      const account = sandbox.account();
      const check = await started(account);
      await submit(account, check);
      const { status, body } = await move(account, check, name);
      expect(status).toBe(409);
      expect(body.error.message).toContain("locate, document");
    },
  );
});
