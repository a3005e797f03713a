/** Colours are for terminals: picocolors alone would send them down a pipe too where CI is set. */
import picocolors from "picocolors";

/** NO_COLOR counts most (no-color.org), then FORCE_COLOR (force-color.org), then what the stream is. */
function wanted({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && TERM !== "dumb";
}

export const colors = picocolors.createColors(wanted(process.stdout));
export const colorsOnStderr = picocolors.createColors(wanted(process.stderr));
