/** Injected into what is loaded later, for the timers that its libraries use: those that the bundle took when it was loaded. */
export { clearImmediate, clearTimeout, queueMicrotask, setImmediate, setTimeout } from "./program.cjs";
