/** undici, loaded with the first webhook attempt. */
export { Agent, Pool } from "undici";
