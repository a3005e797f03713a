import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allPlaces, findPlace, readAddress } from "../../../src/service/address/parse-address.js";
import { distanceInMetres } from "../../../src/service/address/score.js";

const places = [...allPlaces()];
const read = (text: string) => readAddress(text, findPlace(text));
const named = (text: string) => {
  const place = findPlace(text);
  return place && `${place.kind} ${place.name}, ${place.state}`;
};

describe("the gazetteer", () => {
  test("has the 36 states with the capital territory and the 774 local governments, each once", () => {
    const names = (kind: string) =>
      places.filter((place) => place.kind === kind).map(({ name, state }) => `${name}, ${state}`);
    expect(new Set(names("state")).size).toBe(37);
    expect(names("local_government")).toHaveLength(774);
    expect(new Set(names("local_government")).size).toBe(774);
    expect(names("town").length).toBeGreaterThan(900);
  });

  test("has every place within the country and at most 320 km from its state's capital", () => {
    const capitals = new Map(
      places.filter(({ kind }) => kind === "state").map((place) => [place.name, place]),
    );
    for (const place of places) {
      expect.soft(place.latitude, place.name).toBeGreaterThan(4.2);
      expect.soft(place.latitude, place.name).toBeLessThan(13.9);
      expect.soft(place.longitude, place.name).toBeGreaterThan(2.6);
      expect.soft(place.longitude, place.name).toBeLessThan(14.7);
      const capital = capitals.get(place.state);
      expect.soft(capital && distanceInMetres(place, capital), place.name).toBeLessThan(320_000);
    }
  });
});

describe("the place that an address names", () => {
  test.each([
    ["12 Allen Avenue, Ikeja, Lagos", "town Ikeja, Lagos"],
    ["12 Allen Avenue Ikeja Lagos Nigeria", "town Ikeja, Lagos"],
    ["12 Broad Street, Lagos", "town Lagos, Lagos"],
    ["3 Awolowo Way, Bodija, Ibadan", "town Bodija, Oyo"],
    ["Lekki Phase 1, Eti-Osa, Lagos", "town Lekki, Lagos"],
    ["Wuse 2, Abuja", "town Wuse, Federal Capital Territory"],
    ["2 Garden Close, Umu-Nneochi, Abia", "local_government Umu Nneochi, Abia"],
    ["Jemaa, Kaduna", "local_government Jema'a, Kaduna"],
    ["somewhere in Rivers State", "state Rivers, Rivers"],
  ])("in %s is %s", (address, place) => expect(named(address)).toBe(place));

  test("does not depend on case, diacritics, punctuation and hyphens", () => {
    expect(named("ÌKẸJÀ")).toBe("town Ikeja, Lagos");
    expect(named("ile ife; OSUN")).toBe(named("Ilé-Ifẹ̀, Ọ̀ṣun"));
  });

  test("is the one in the named state, if two states have a place of that name", () => {
    expect(named("Surulere, Lagos")).toBe("town Surulere, Lagos");
    expect(named("Surulere, Oyo")).toBe("local_government Surulere, Oyo");
    expect(named("Sabon Gari, Kano")).toBe("town Sabon Gari, Kano");
    expect(named("Sabon Gari, Kaduna State")).toBe("local_government Sabon Gari, Kaduna");
  });

  test("is not the one in the name of a street or building", () => {
    expect(named("12 Kano Street, Ebute-Metta, Lagos")).toBe("town Ebute-Metta, Lagos");
    expect(named("Aba House, 4 Ikorodu Road, Maryland, Lagos")).toBe("town Maryland, Lagos");
    expect(named("12 Ikorodu Road")).toBeNull();
  });

  test("needs whole words, and is null abroad", () => {
    expect(named("Ikejan Kanopy")).toBeNull();
    expect(named("10 Downing Street, London")).toBeNull();
    expect(named("")).toBeNull();
  });

  test("is found for every place of the gazetteer, with its state", () => {
    for (const { name, state } of places) {
      const found = findPlace(`12 Allen Avenue, ${name}, ${state} State`);
      expect.soft(found && [found.name, found.state]).toEqual([name, state]);
    }
  });

  test("is found in its formatted address", () => {
    for (const { name, state } of places) {
      const { formatted } = read(`12 Allen Avenue, ${name}, ${state} State`);
      expect.soft(read(formatted).formatted).toBe(formatted);
    }
  });

  test("is found quickly in the first 500 characters of a hostile text", () => {
    expect(named("Ikeja ".repeat(100_000))).toBe("town Ikeja, Lagos");
    expect(read(`12 ${" ".repeat(100_000)}x`).street).toBeNull();
  });

  test("is found or null for any text, without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(read(text).formatted).toBeTypeOf("string");
      }),
    );
  });
});

test("Lagos and Abuja are 520 to 540 km apart, a place and itself 0", () => {
  const [lagos, abuja] = [findPlace("Lagos"), findPlace("Abuja")];
  if (!lagos || !abuja) throw new Error("a capital is not known");
  expect(distanceInMetres(lagos, abuja)).toBeGreaterThan(520_000);
  expect(distanceInMetres(lagos, abuja)).toBeLessThan(540_000);
  expect(distanceInMetres(lagos, lagos)).toBe(0);
});
