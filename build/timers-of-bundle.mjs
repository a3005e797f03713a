/** Injected into files that are loaded later: their libraries use the timers that the bundle took when it was loaded. */
export { clearImmediate, clearTimeout, queueMicrotask, setImmediate, setTimeout } from "./program.cjs";
