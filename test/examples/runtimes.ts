/** Python and Java as the recipes' tests run them, if they are installed. */
import { spawnSync } from "node:child_process";
import { oncePer } from "../support/once-per.js";

/** Keeps plugins that the machine happens to have out of pytest, and the recipes free of files that Python adds. */
const python = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" };
/** The settings of the JVM that start soonest. */
const java = { JDK_JAVA_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };
export const runtimes = { ...python, ...java };

/** The same settings, for javac. */
export const javac = ["javac", ...java.JDK_JAVA_OPTIONS.split(" ").map((option) => `-J${option}`)];
export const pytest = ["python3", "-m", "pytest"];

const succeeds = oncePer((command: string) => {
  const [program = "", ...args] = command.split(" ");
  const { status } = spawnSync(program, args, { stdio: "ignore", env: { ...process.env, ...runtimes } });
  return status === 0;
});

/** Returns whether the command succeeds here. */
export const works = (command: readonly string[]): boolean => succeeds(command.join(" "));
