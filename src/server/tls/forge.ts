/** The library that issues certificates. Loaded with the first certificate. */
export { default as pki } from "node-forge/lib/pki.js";
export { default as sha256 } from "node-forge/lib/sha256.js";
