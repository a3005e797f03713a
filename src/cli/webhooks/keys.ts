/** Single keys that a command reacts to while it runs on a terminal. */
import { spawnSync } from "node:child_process";

/** Actions by key. Ctrl+C keeps its meaning. */
export type Keys = Readonly<Record<string, () => void>>;

/** Returns whether this process may read the terminal: one in the background would be stopped. */
function isInForeground(): boolean {
  const { stdout } = spawnSync("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], { encoding: "utf8" });
  const [group, foreground] = (stdout ?? "").trim().split(/\s+/);
  return group !== undefined && group === foreground;
}

/** Returns whether somebody can press keys. */
export const hasKeyboard = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && isInForeground();

/** Calls the actions of the keys that are pressed. Returns a function that ends this and restores the terminal. */
export function onKeys(keys: Keys): () => void {
  const { stdin } = process;
  const react = (chunk: Buffer) => {
    for (const key of chunk.toString("utf8")) {
      if (key === "\u0003") process.kill(process.pid, "SIGINT");
      else keys[key.toLowerCase()]?.();
    }
  };
  stdin.setRawMode(true);
  stdin.resume().on("data", react);
  return () => {
    stdin.setRawMode(false);
    stdin.off("data", react).pause();
  };
}
