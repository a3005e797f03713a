/** The bundle: the program and the library in one file. Each part is evaluated when it is first asked for. */
module.exports = {
  program: () => require("../src/cli/program.ts"),
  library: () => require("../src/index.ts"),
  playwright: () => require("../src/playwright.ts"),
  contracts: () => require("../src/documents/contracts.ts"),
  // The packages that are loaded later wait by the same timers.
  ...require("../src/time/machine.ts"),
};
