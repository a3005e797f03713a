/** Reads house, plot, block and flat numbers at the beginning of a part of an address. */

/** Labels of numbers, with our notation. Labels that mean only "number" are dropped. */
const labels: Readonly<Record<string, string>> = {
  no: "",
  nos: "",
  number: "",
  house: "",
  hse: "",
  "#": "",
  plot: "Plot",
  block: "Block",
  blk: "Block",
  flat: "Flat",
  apartment: "Flat",
  apt: "Flat",
  suite: "Suite",
  shop: "Shop",
  room: "Room",
  unit: "Unit",
  km: "Km",
  kilometre: "Km",
};

/** "12", "12A", "12-14", "5/7", "B12"; "1st" is part of a street name. */
const numbered = /^(\d{1,4}[a-z]?(?:\s?[-/]\s?\d{0,4}[a-z]?)?|[a-z]\d{1,4})(?![\p{L}\p{M}\d])[\s.:]*/iu;
/** A single letter, accepted after a label: "Block B". */
const lettered = /^([a-z])(?![\p{L}\p{M}\d])[\s.:]*/iu;
const labelled =
  /^(#|(?:nos|no|number|house|hse|plot|block|blk|flat|apartment|apt|suite|shop|room|unit|km|kilometre)(?![\p{L}\p{M}]))[\s.:#]*/iu;

/** Returns the numbers that a part begins with, in our notation ("Plot 7", "12A"), and the rest of the part. */
export function readHouse(part: string): { house: string[]; rest: string } {
  const house: string[] = [];
  let rest = part;
  for (;;) {
    const afterLabels = withoutLabels(rest);
    const number =
      numbered.exec(afterLabels.rest) ??
      (afterLabels.label === null ? null : lettered.exec(afterLabels.rest));
    if (!number?.[1]) return { house, rest };
    const written = number[1]
      .replace(/\s|[-/]$/g, "")
      .replace(/(\d)-([a-z])$/i, "$1$2")
      .toUpperCase();
    house.push(afterLabels.label ? `${afterLabels.label} ${written}` : written);
    rest = afterLabels.rest.slice(number[0].length);
  }
}

/** Strips the labels of a number and returns the most specific one: "House No. 12" has two. */
function withoutLabels(text: string): { label: string | null; rest: string } {
  let label: string | null = null;
  let rest = text;
  for (let match = labelled.exec(rest); match?.[1]; match = labelled.exec(rest)) {
    label = label || (labels[match[1].toLowerCase()] ?? "");
    rest = rest.slice(match[0].length);
  }
  return { label, rest };
}
