/** Injected by the build for the timers that bundled libraries use: they wait by real time while the global ones are fake. */
export { clearImmediate, clearTimeout, queueMicrotask, setImmediate, setTimeout } from "./machine.js";
