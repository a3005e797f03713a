/** undici, loaded when the first webhook leaves. */
export { Pool } from "undici";
