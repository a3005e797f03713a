/** What 0.2 had and 0.3 has not: each is refused by its name, with what to use instead. */
import { UsageError } from "./errors.js";

interface RemovedUse {
  /** Command with its subcommand, an argument or a flag, as a user wrote them. FILE is any value of the flag before it. */
  readonly words: readonly string[];
  readonly instead: string;
}

const removedUses: readonly RemovedUse[] = [
  { words: ["openapi"], instead: "use standin export openapi" },
  { words: ["pact", "export"], instead: "use standin export pact" },
  { words: ["pact"], instead: "use standin export pact" },
  {
    words: ["export", "bruno"],
    instead: "use standin export postman, whose collection Bruno imports, or import /openapi.json",
  },
  {
    words: ["export", "http"],
    instead:
      "use standin export postman, whose collection JetBrains IDEs and httpYac import, or import /openapi.json",
  },
  {
    words: ["record"],
    instead:
      "record the client with any proxy that writes an HTTP archive, and use standin scenario record --from-har FILE; standin drift compares the service with the contract",
  },
  {
    words: ["--tools-ffmpeg"],
    instead:
      "leave it out; the built-in engine converts every sound, and a codec that it lacks is refused by name",
  },
  {
    words: ["--tools-libreoffice"],
    instead:
      "leave it out; the built-in engine converts every document, and the reply counts what it does not draw",
  },
  { words: ["export", "--out"], instead: "the file goes to stdout: standin export KIND > FILE" },
  { words: ["coverage", "merge", "--out"], instead: "use --coverage FILE, as standin exec has it" },
  { words: ["exam", "--json", "FILE"], instead: "use --card FILE; --json prints the report card" },
];

/** Returns whether a flag is followed by a value. */
const hasValue = (args: readonly string[], flag: string): boolean =>
  args.some(
    (arg, index) => arg.startsWith(`${flag}=`) || (arg === flag && /^[^-]/.test(args[index + 1] ?? "-")),
  );

/** Throws a UsageError if a command line uses what an earlier version had. */
export function refuseRemovedUse(args: readonly string[]): void {
  // What follows -- is the user's own command.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const isUsed = ({ words }: RemovedUse): boolean =>
    words.every((word, index) => {
      if (word === "FILE") return hasValue(own, words[index - 1] as string);
      if (word.startsWith("-")) return own.some((arg) => arg === word || arg.startsWith(`${word}=`));
      return own[index] === word;
    });
  const found = removedUses.find(isUsed);
  if (found) throw new UsageError(`${found.words.join(" ")} was removed in version 0.3: ${found.instead}`);
}
