/** undici, loaded when a replica forwards its first request. */
export { Agent } from "undici";
