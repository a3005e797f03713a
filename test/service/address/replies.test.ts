import { describe, expect, test } from "vitest";
import type { OutcomeName } from "../../../src/index.js";
import { distanceInMetres } from "../../../src/service/address/score.js";
import { call, useListeningSandbox } from "../../support/sandbox.js";
import { away, house, inaccurate, locate, near, start, started, submit } from "./checks.js";

const sandbox = useListeningSandbox();
const untouched = { status: "not_provided", points: 0 };

describe("the first reply", () => {
  test("has exactly the fields of the interface", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-06-01T12:00:00Z");
    const { status, headers, body } = await start(account, { reference: "order-7" });
    expect(status).toBe(201);
    expect(headers.get("X-Sandbox-Outcome")).toBe("found; by=default");
    expect(body).toEqual({
      id: expect.stringMatching(/^ver_[a-z0-9]{20}$/),
      type: "address",
      status: "pending",
      match: null,
      confidence_score: 40,
      data: null,
      address: {
        submitted: house,
        formatted: "12 Allen Avenue, Ikeja, Lagos, Nigeria",
        latitude: expect.any(Number),
        longitude: expect.any(Number),
        precision: "house",
      },
      checks: {
        address_exists: { status: "pass", points: 40 },
        location: untouched,
        document: untouched,
      },
      signals: [],
      confirm_url: expect.stringContaining(body.id),
      expires_at: "2030-06-04T12:00:00.000Z",
      cost: 150,
      currency: "NGN",
      is_test: true,
    });
    expect(body.confirm_url).toMatch(new RegExp(`^${sandbox.url}/confirm/acct_[a-z0-9]+/ver_[a-z0-9]+$`));
  });

  test("expires 72 hours later on the account's clock, not on the machine's", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-06-01T12:00:00Z");
    await account.advance("30d");
    expect((await start(account)).body.expires_at).toBe("2030-07-04T12:00:00.000Z");
  });

  test("of a live key says is_test false and costs the same", async () => {
    expect((await start(sandbox.account({ mode: "live" }))).body).toMatchObject({
      is_test: false,
      cost: 150,
    });
  });

  test("confirm_url is unique per check and account", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    const checks = [await started(one), await started(one), await started(other)];
    expect(new Set(checks.map(({ confirm_url }) => confirm_url)).size).toBe(3);
  });

  test("keeps the address as sent", async () => {
    const submitted = "  nO 12,\tALLEN   AVE\nikeja ";
    const { address } = (await start(sandbox.account(), { address: submitted })).body;
    expect(address).toMatchObject({ submitted, formatted: "12 Allen Avenue, Ikeja, Lagos, Nigeria" });
  });
});

describe("the address of the first reply", () => {
  /** Position of the town from an atlas, to two decimals. */
  test.each([
    [
      "14b Adeniran Ogunsanya St, Surulere, Lagos",
      "14B Adeniran Ogunsanya Street, Surulere, Lagos",
      6.5,
      3.35,
    ],
    [
      "Plot 1415 Adetokunbo Ademola Street, Victoria Island, Lagos",
      "Plot 1415 Adetokunbo Ademola Street, Victoria Island, Lagos",
      6.43,
      3.42,
    ],
    [
      "18 Aminu Kano Crescent, Wuse 2, Abuja",
      "18 Aminu Kano Crescent, Wuse, Federal Capital Territory",
      9.07,
      7.47,
    ],
    ["27 Awolowo Avenue, Bodija, Ibadan, Oyo", "27 Awolowo Avenue, Bodija, Oyo", 7.42, 3.91],
    ["19 Aba Road, Port Harcourt, Rivers State", "19 Aba Road, Port Harcourt, Rivers", 4.78, 7.01],
    ["8 Ogui Road, Enugu", "8 Ogui Road, Enugu", 6.44, 7.5],
    ["22 Jakpa Rd, Effurun, Delta", "22 Jakpa Road, Effurun, Delta", 5.56, 5.78],
    ["40 Marian Road, Calabar, Cross River", "40 Marian Road, Calabar, Cross River", 4.96, 8.33],
  ])("%s is formatted and has a position in its town", async (address, formatted, latitude, longitude) => {
    const { body } = await start(sandbox.account(), { address });
    expect(body.address).toMatchObject({ formatted: `${formatted}, Nigeria`, precision: "house" });
    expect(distanceInMetres(body.address, { latitude, longitude })).toBeLessThan(6_000);
  });

  test.each([
    [house, "house", 40, "pass"],
    ["Allen Avenue, Ikeja, Lagos", "street", 30, "partial"],
    ["Ikeja, Lagos", "town", 15, "partial"],
    ["12 Allen Avenue, Atlantis", "unknown", 0, "fail"],
  ])("%s has the precision %s and %i points", async (address, precision, points, status) => {
    const { body } = await start(sandbox.account(), { address });
    expect(body.address.precision).toBe(precision);
    expect(body.checks.address_exists).toEqual({ status, points });
    expect(body.confidence_score).toBe(points);
    expect(body.status).toBe("pending");
  });

  test("is in the middle of Nigeria if it is not found, and is formatted as the text itself", async () => {
    const { headers, body } = await start(sandbox.account(), { address: " 12  Allen Avenue,\n Atlantis " });
    expect(body.address).toMatchObject({
      formatted: "12 Allen Avenue, Atlantis",
      latitude: 9.082,
      longitude: 8.6753,
      precision: "unknown",
    });
    expect(headers.get("X-Sandbox-Outcome")).toBe("not_found; by=address");
  });

  test.each(["ng", "Ng", "nG"])("is found in the country %s as in NG", async (country) => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    expect((await start(account, { country })).body.address).toEqual((await start(other)).body.address);
  });

  test.each(["GB", "gh"])("is never found in the country %s", async (country) => {
    const { body } = await start(sandbox.account(), { country });
    expect(body.address).toEqual({
      submitted: house,
      formatted: house,
      latitude: 0,
      longitude: 0,
      precision: "unknown",
    });
    expect(body.confidence_score).toBe(0);
  });
});

describe("the outcomes of the first call", () => {
  test.each([
    ["12 Nowhere Street, Ikeja, Lagos", "not_found", "unknown", 0],
    ["12 Somewhere Street, Ikeja, Lagos", "town_only", "town", 15],
  ])("%s is %s as a test value", async (address, outcome, precision, points) => {
    const { headers, body } = await start(sandbox.account(), { address });
    expect(headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
    expect(body).toMatchObject({ confidence_score: points, address: { precision } });
  });

  test.each<[OutcomeName, string, number]>([
    ["found", "12 Allen Avenue, Atlantis", 40],
    ["found", "Allen Avenue, Ikeja, Lagos", 30],
    ["town_only", house, 15],
    ["not_found", house, 0],
  ])("a rule selects %s: %s has %i points", async (outcome, address, points) => {
    const account = sandbox.account();
    await account.rules.add({ on: "verifyAddress", outcome });
    const { headers, body } = await start(account, { address });
    expect(headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=rule`);
    expect(body.confidence_score).toBe(points);
    expect(body.address.precision === "unknown").toBe(points === 0);
  });
});

describe("a request", () => {
  test.each(["address", "full_name", "country"])("needs %s", async (param) => {
    const { status, body } = await start(sandbox.account(), { [param]: undefined });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "missing_field", param });
  });

  test.each([
    ["address", ""],
    ["full_name", ""],
    ["country", "NGA"],
    ["country", "N1"],
    ["country", "XX"],
    ["country", "UK"],
    ["country", "EU"],
    ["country", "Nigeria"],
    ["reference", 7],
  ])("is refused with the %s %j", async (param, value) => {
    const { status, body } = await start(sandbox.account(), { [param]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param });
  });
});

test("the reply to a location is id, type, status, match, confidence_score and checks", async () => {
  const account = sandbox.account();
  const check = await started(account);
  const { status, body } = await locate(account, check, inaccurate(check));
  expect(status).toBe(200);
  expect(body).toEqual({
    id: check.id,
    type: "address",
    status: "review",
    match: false,
    confidence_score: 60,
    checks: {
      address_exists: { status: "pass", points: 40 },
      location: { status: "partial", points: 20, distance_m: expect.closeTo(260, 0), accuracy_m: 80 },
      document: untouched,
    },
  });
});

test("the reply to a document is only id, type, status, confidence_score and checks.document", async () => {
  const account = sandbox.account();
  const check = await started(account);
  await locate(account, check, away(check, 5_000));
  const { status, body } = await submit(account, check, "othername.png");
  expect(status).toBe(200);
  expect(body).toEqual({
    id: check.id,
    type: "address",
    status: "review",
    confidence_score: 50,
    checks: { document: { status: "partial", points: 10, address_match: 96, name_match: false } },
  });
});

test("neither a location nor a document costs anything extra", async () => {
  const account = sandbox.account();
  const check = await started(account);
  await submit(account, check);
  await locate(account, check, near(check));
  expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(1_000_000 - 150);
});
