/** Words and separators of Nigerian addresses. */

/** The rest of a longer text is ignored. */
const maxAddressCharacters = 500;

/** Splits an address at commas, semicolons and line breaks. */
export const addressParts = (address: string): string[] =>
  address.slice(0, maxAddressCharacters).split(/[,;\n]/);

/** Last words of street names as people write them, with our notation. */
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

/** A place name followed by one of these words names a building: "Kano House" is not in Kano. */
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
