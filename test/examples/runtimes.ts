/** Python and Java as the recipes' tests run them, if they are installed. */
import { spawnSync } from "node:child_process";

/** Keeps plugins that the machine happens to have out of pytest, and the recipes free of files that Python adds. */
const python = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" };
/** The settings of the JVM that start soonest. */
const java = { JDK_JAVA_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };
export const runtimes = { ...python, ...java };

/** The same settings, for javac. */
export const javac = ["javac", ...java.JDK_JAVA_OPTIONS.split(" ").map((option) => `-J${option}`)];
export const pytest = ["python3", "-m", "pytest"];

const known = new Map<string, boolean>();

/** Returns whether the command succeeds here. */
export function works(command: readonly string[]): boolean {
  const name = command.join(" ");
  const [program = "", ...args] = command;
  if (!known.has(name)) {
    const { status } = spawnSync(program, args, { stdio: "ignore", env: { ...process.env, ...runtimes } });
    known.set(name, status === 0);
  }
  return known.get(name) === true;
}
