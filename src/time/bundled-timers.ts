/**
 * Timers that the build injects into bundled libraries, so that they wait in real time while the global timers are
 * fake.
 */
export { clearImmediate, clearTimeout, queueMicrotask, setImmediate, setTimeout } from "./machine.js";
