/** The conversion pool of each sandbox. The pool and its threads are loaded when the first file arrives. */
import type { ConversionPool } from "./conversion-pool.js";

const pools = new WeakMap<object, ConversionPool>();

/** Returns the pool of a sandbox, which is identified by its settings. */
export async function conversionPool(sandbox: object): Promise<ConversionPool> {
  const { ConversionPool } = await import("./conversion-pool.js");
  const pool = pools.get(sandbox) ?? new ConversionPool();
  pools.set(sandbox, pool);
  return pool;
}

/** Stops the conversions of a sandbox that shuts down. */
export const closeConversions = (sandbox: object): void => pools.get(sandbox)?.close();
