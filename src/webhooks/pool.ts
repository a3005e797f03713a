/** undici, loaded with the first webhook attempt. */
export { Pool } from "undici";
