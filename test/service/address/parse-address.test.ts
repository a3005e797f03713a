import { describe, expect, test } from "vitest";
import {
  addressPosition,
  findPlace,
  precisionOf,
  readAddress,
} from "../../../src/service/address/parse-address.js";
import { distanceInMetres, existencePoints } from "../../../src/service/address/score.js";

const read = (text: string) => readAddress(text, findPlace(text));

describe("a read address", () => {
  test.each([
    ["12 Allen Avenue, Ikeja, Lagos", "12", "Allen Avenue", 40],
    ["No. 12A allen ave, ikeja", "12A", "Allen Avenue", 40],
    ["Plot 7, Ahmadu Bello Way, Kaduna", "Plot 7", "Ahmadu Bello Way", 40],
    ["Block B, Flat 3, 5 Bourdillon Rd, Ikoyi", "Block B, Flat 3, 5", "Bourdillon Road", 40],
    ["12 Marina, Lagos", "12", "Marina", 40],
    ["House 5, Road 3, Gwarinpa, Abuja", "5", "Road 3", 40],
    ["15 St. Gregory's St, Ikoyi", "15", "St Gregory's Street", 40],
    ["1st Avenue, Festac, Lagos", null, "1st Avenue", 30],
    ["Allen Avenue, Ikeja", null, "Allen Avenue", 30],
    ["Plot 7, Ikeja", "Plot 7", null, 15],
    ["Ikeja, Lagos", null, null, 15],
    ["12 Allen Avenue, Rivers State", "12", "Allen Avenue", 0],
    ["12 Allen Avenue, Atlantis", "12", "Allen Avenue", 0],
  ])("%s has house %s, street %s and %s points", (text, house, street, points) => {
    expect(read(text)).toMatchObject({ house, street });
    expect(existencePoints[precisionOf(read(text))]).toBe(points);
  });

  const notations = [
    "12 Allen Avenue, Ikeja, Lagos",
    "No 12, ALLEN AVE., Ikeja 100271, Lagos State, Nigeria",
    "House 12 Allen Av Ikeja",
  ];

  test("has one formatted form and one position, whatever its notation", () => {
    const readings = notations.map((text) => ({ place: findPlace(text), reading: read(text) }));
    for (const { place, reading } of readings) {
      expect(reading.formatted).toBe("12 Allen Avenue, Ikeja, Lagos, Nigeria");
      expect(place && addressPosition(reading, place)).toEqual({ latitude: 6.592169, longitude: 3.351745 });
    }
  });

  test("is within 1.5 km of its town's centre, apart from its neighbours, or in the centre without a street", () => {
    const ikeja = findPlace("Ikeja, Lagos");
    if (!ikeja) throw new Error("Ikeja is not known");
    const spots = Array.from({ length: 200 }, (_, at) =>
      addressPosition(readAddress(`${at + 1} Allen Avenue`, ikeja), ikeja),
    );
    expect(Math.max(...spots.map((spot) => distanceInMetres(spot, ikeja)))).toBeLessThan(1501);
    expect(new Set(spots.map((spot) => `${spot.latitude} ${spot.longitude}`)).size).toBe(200);
    expect(distanceInMetres(addressPosition(readAddress("Ikeja", ikeja), ikeja), ikeja)).toBe(0);
  });
});
