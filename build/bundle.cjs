/** The bundle: the program and the library in one file. Each part is evaluated when it is first used. */
module.exports = {
  program: () => require("../src/cli/program.ts"),
  library: () => require("../src/index.ts"),
  playwright: () => require("../src/playwright.ts"),
  contracts: () => require("../src/documents/contracts.ts"),
  // For the packages that are loaded later, which use the same timers.
  ...require("../src/time/machine.ts"),
};
