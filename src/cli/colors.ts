/** Colours are for terminals: picocolors alone would send them down a pipe too where CI is set. */
import picocolors from "picocolors";

export const colors = picocolors.createColors(process.stdout.isTTY === true && picocolors.isColorSupported);
