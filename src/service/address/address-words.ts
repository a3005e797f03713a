/** Characters of an address that are looked at; the rest of a longer text is not. */
const longestAddress = 500;

/** What stands between commas. */
export const addressParts = (address: string): string[] => address.slice(0, longestAddress).split(/[,;\n]/);

/** The last word of a street's name, as people write it, and how we write it. */
export const streetWords: Readonly<Record<string, string>> = {
  street: "Street",
  str: "Street",
  st: "Street",
  road: "Road",
  rd: "Road",
  avenue: "Avenue",
  ave: "Avenue",
  av: "Avenue",
  close: "Close",
  cl: "Close",
  crescent: "Crescent",
  cres: "Crescent",
  cresent: "Crescent",
  crs: "Crescent",
  way: "Way",
  drive: "Drive",
  dr: "Drive",
  lane: "Lane",
  ln: "Lane",
  boulevard: "Boulevard",
  blvd: "Boulevard",
  expressway: "Expressway",
  highway: "Highway",
  hwy: "Highway",
  bypass: "Bypass",
  terrace: "Terrace",
  link: "Link",
  loop: "Loop",
};

/** A place's name before one of these names a building: "Kano House" is not in Kano. */
export const buildingWords: ReadonlySet<string> = new Set([
  "building",
  "complex",
  "court",
  "hotel",
  "house",
  "mall",
  "plaza",
  "tower",
  "towers",
]);
