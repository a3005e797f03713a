/** Interleaves measurements, takes medians and formats the table of results. */

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs every candidate once per round, so that noise affects all alike. Resolves to lists of results by name. */
export async function interleaved(rounds, candidates) {
  const results = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) results[name].push(await run(round));
  }
  return results;
}

/** Returns the median of each candidate's results, or of one of their fields. */
export const medians = (results, field) =>
  Object.fromEntries(
    Object.entries(results).map(([name, list]) => [
      name,
      median(list.map((result) => (field ? result[field] : result))),
    ]),
  );

/** Formats a number with three significant digits or, from 1,000, without decimals. */
export const formatFigure = (value, unit = "") => {
  if (value === undefined || value === null) return "";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
};

/**
 * Returns a line of the table. `standin` and the value that it is compared with, `beside`, are numbers in `unit`; `besideIs`
 * names that value or replaces it. `reach` is the target, such as "≥ 0.6" of the ratio, and `reached` whether it was met.
 */
export const row = ({ figure, unit, standin, beside, besideIs = "", reach = "", reached }) => ({
  figure,
  standin: formatFigure(standin, unit),
  beside: beside === undefined ? besideIs : `${formatFigure(beside, unit)} ${besideIs}`.trim(),
  ratio: beside === undefined ? "" : (standin / beside).toFixed(2),
  reach,
  reached: reached === undefined ? "" : reached ? "yes" : "**no**",
});

export function table(rows) {
  const columns = ["bench", "figure", "Standin", "beside it", "ratio", "to reach", "reached"];
  const cells = rows.map((r) => [r.bench, r.figure, r.standin, r.beside, r.ratio, r.reach, r.reached]);
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((line) => line[i].length)));
  const line = (parts) => `| ${parts.map((part, i) => part.padEnd(widths[i])).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(columns), rule, ...cells.map(line)].join("\n");
}
