/** House numbers and their relatives at the beginning of a part of an address. */

/** Words before a number; those that say no more than "number" are left out of what we write. */
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

/** "12", "12A", "12-14", "5/7", "B12"; "1st" belongs to a street. */
const numbered = /^(\d{1,4}[a-z]?(?:\s?[-/]\s?\d{0,4}[a-z]?)?|[a-z]\d{1,4})(?![\p{L}\p{M}\d])[\s.:]*/iu;
/** After a label a letter is enough: "Block B". */
const lettered = /^([a-z])(?![\p{L}\p{M}\d])[\s.:]*/iu;
const labelled =
  /^(#|(?:nos|no|number|house|hse|plot|block|blk|flat|apartment|apt|suite|shop|room|unit|km|kilometre)(?![\p{L}\p{M}]))[\s.:#]*/iu;

/** The numbers that a part begins with, written one way ("Plot 7", "12A"), and what follows them. */
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

/** "House No. 12" has two labels; the one that says most is kept. */
function withoutLabels(text: string): { label: string | null; rest: string } {
  let label: string | null = null;
  let rest = text;
  for (let match = labelled.exec(rest); match?.[1]; match = labelled.exec(rest)) {
    label = label || (labels[match[1].toLowerCase()] ?? "");
    rest = rest.slice(match[0].length);
  }
  return { label, rest };
}
