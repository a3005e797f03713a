import { describe, expect, test } from "vitest";
import { distanceInMetres, type Position } from "../../../src/service/address/score.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { away, locate, locationPath, started } from "./checks.js";

const sandbox = useSandbox();

/** A location about 312.3 m from the address, and its exact distance; the address has the same position on every account. */
async function spotNearby(accuracy_m = 0) {
  const check = await started(sandbox.account());
  const spot = away(check, 312.3, accuracy_m);
  return { spot, distance: distanceInMetres(check.address, spot) };
}

/** Submits a location under this radius and returns its check; null omits the radius. */
async function located(radius_m: number | null, spot: object, address?: string) {
  const account = sandbox.account();
  const changes = { ...(radius_m === null ? {} : { radius_m }), ...(address ? { address } : {}) };
  const check = await started(account, changes);
  const { status, body } = await locate(account, check, spot);
  expect(status).toBe(200);
  return body.checks.location;
}

describe("the radius", () => {
  test("includes a distance that equals it", async () => {
    const { spot, distance } = await spotNearby();
    expect(await located(distance, spot)).toMatchObject({ status: "pass", points: 40 });
  });

  test("excludes a distance that is a micrometre larger", async () => {
    const { spot, distance } = await spotNearby();
    expect(await located(distance - 1e-6, spot)).toMatchObject({ status: "fail", points: 0 });
  });

  test("gives half the points if distance less accuracy equals it, and none beyond", async () => {
    const { spot, distance } = await spotNearby(100);
    expect(await located(distance - 100, spot)).toMatchObject({ status: "partial", points: 20 });
    expect(await located(distance - 100 - 1e-6, spot)).toMatchObject({ status: "fail", points: 0 });
  });

  test("is 200 m by default", async () => {
    const check = await started(sandbox.account());
    expect(await located(null, away(check, 199, 0))).toMatchObject({ status: "pass", points: 40 });
    expect(await located(null, away(check, 201, 0))).toMatchObject({ status: "fail", points: 0 });
  });

  test("may be large or small", async () => {
    const check = await started(sandbox.account());
    expect(await located(50, away(check, 60, 0))).toMatchObject({ points: 0 });
    expect(await located(10_000, away(check, 9_000, 0))).toMatchObject({ points: 40 });
    expect(await located(0.001, away(check, 0, 0))).toMatchObject({ points: 40, distance_m: 0 });
    expect(await located(1e308, { latitude: -60, longitude: 170, accuracy_m: 0 })).toMatchObject({
      points: 40,
    });
  });

  test.each([0, -1, "200"])("cannot be %j", async (radius_m) => {
    const account = sandbox.account();
    const { status, body } = await post(account, "/v1/verify/address", {
      address: "12 Allen Avenue, Ikeja, Lagos",
      full_name: "Chioma Eze",
      country: "NG",
      radius_m,
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "radius_m" });
  });
});

describe("the distance", () => {
  test("is returned in decimetres, with the accuracy that the phone reported", async () => {
    const { spot, distance } = await spotNearby(12.5);
    expect(await located(null, spot)).toEqual({
      status: "fail",
      points: 0,
      distance_m: Number(distance.toFixed(1)),
      accuracy_m: 12.5,
    });
  });

  const quarter = 10_007_557;

  test.each([90, -90])(
    "to the pole at latitude %i follows a meridian, whatever the longitude",
    async (pole) => {
      const account = sandbox.account();
      const check = await started(account);
      const expected = quarter - Math.sign(pole) * check.address.latitude * (quarter / 90);
      const distances = [];
      for (const longitude of [-180, 0, 3.35, 180]) {
        const { body } = await locate(account, check, { latitude: pole, longitude, accuracy_m: 5 });
        distances.push(body.checks.location.distance_m);
      }
      for (const distance of distances) expect(Math.abs(distance - expected)).toBeLessThan(10);
      expect(Math.max(...distances) - Math.min(...distances)).toBeLessThanOrEqual(0.1);
    },
  );

  test("is the same on both sides of the antimeridian", async () => {
    const account = sandbox.account();
    const check = await started(account);
    const distances = [];
    for (const longitude of [180, -180]) {
      const { body } = await locate(account, check, { latitude: 70, longitude, accuracy_m: 5 });
      distances.push(body.checks.location.distance_m);
    }
    expect(distances[1]).toBe(distances[0]);
  });

  /** Spherical law of cosines, a different formula from the one under test. */
  const byCosines = (a: Position, b: Position) => {
    const [one, other, turn] = [a.latitude, b.latitude, b.longitude - a.longitude].map(
      (degrees) => (degrees * Math.PI) / 180,
    ) as [number, number, number];
    const sines = Math.sin(one) * Math.sin(other);
    return (2 * quarter * Math.acos(sines + Math.cos(one) * Math.cos(other) * Math.cos(turn))) / Math.PI;
  };

  test.each([
    ["the next street to the east", 6.5922, 3.3528],
    ["Abuja", 9.06, 7.49],
    ["London", 51.5, -0.13],
    ["Sydney", -33.87, 151.21],
    ["Fiji, beyond the antimeridian", -17.8, -179.9],
  ])("to %s is a great circle's", async (_where, latitude, longitude) => {
    const account = sandbox.account();
    const check = await started(account);
    const { body } = await locate(account, check, { latitude, longitude, accuracy_m: 5 });
    const expected = byCosines(check.address, { latitude, longitude });
    expect(Math.abs(body.checks.location.distance_m - expected)).toBeLessThan(Math.max(1, expected / 1e6));
  });

  test("to the antipode is half the earth's circumference", async () => {
    const account = sandbox.account();
    const check = await started(account);
    const { latitude, longitude } = check.address;
    const antipode = { latitude: -latitude, longitude: longitude - 180, accuracy_m: 0 };
    const { distance_m, points } = (await locate(account, check, antipode)).body.checks.location;
    expect(Math.abs(distance_m - 2 * quarter)).toBeLessThan(10);
    expect(points).toBe(0);
  });
});

describe("the accuracy", () => {
  test("of a phone without a fix gives half the points, from anywhere", async () => {
    const anywhere = { latitude: -89, longitude: 120 };
    for (const accuracy_m of [20_100_000, Number.MAX_VALUE]) {
      const check = await located(null, { ...anywhere, accuracy_m });
      expect(check).toMatchObject({ status: "partial", points: 20, accuracy_m });
    }
  });

  test("does not matter within the radius", async () => {
    const check = await started(sandbox.account());
    expect(await located(null, away(check, 150, 0))).toMatchObject({ points: 40 });
    expect(await located(null, away(check, 150, 90_000))).toMatchObject({ points: 40 });
  });
});

describe("an address that is not found", () => {
  test.each(["12 Allen Avenue, Atlantis", "12 Nowhere Street, Ikeja, Lagos"])(
    "%s: no location gives points, and no distance is returned",
    async (address) => {
      const spot = { latitude: 6.6, longitude: 3.35, accuracy_m: 30 };
      const check = await located(1e308, spot, address);
      expect(check).toEqual({ status: "fail", points: 0, accuracy_m: 30 });
    },
  );
});

describe("a location", () => {
  const right = { latitude: 6.6, longitude: 3.35, accuracy_m: 10 };

  test.each([
    ["latitude", 90.000001],
    ["latitude", -91],
    ["latitude", "6.6"],
    ["longitude", 180.000001],
    ["longitude", -181],
    ["longitude", null],
    ["accuracy_m", -0.1],
    ["accuracy_m", true],
  ])("cannot have the %s %j", async (param, value) => {
    const account = sandbox.account();
    const { status, body } = await locate(account, await started(account), { ...right, [param]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param });
  });

  test.each(Object.keys(right))("needs %s", async (param) => {
    const account = sandbox.account();
    const fix = { ...right, [param]: undefined };
    const { status, body } = await locate(account, await started(account), fix);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "missing_field", param });
  });

  test("whose accuracy is not a finite number is refused", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    const text = '{"latitude":6.6,"longitude":3.35,"accuracy_m":1e400}';
    const { status, body } = await post(account, locationPath(id), text);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "accuracy_m" });
  });
});
