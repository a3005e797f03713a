/** The pages of HTML that commands write have the colours of the pages that the sandbox serves. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reportColours } from "../../src/cli/output/report.js";

test("reports have the colours of the theme", () => {
  const theme = readFileSync("src/ui/style/theme.css", "utf8");
  for (const [name, value] of Object.entries(reportColours)) expect(theme).toContain(`--${name}: ${value};`);
});
