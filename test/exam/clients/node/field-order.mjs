/** Shows the wallet. Bug: the balance is found by its place in the text of the reply. */
import assert from "node:assert";
import { isRepaired, read } from "./kit.mjs";

const { text, balance } = await read("/v1/balance");
const shown = isRepaired ? balance : Number(/^\{"balance":([\d.]+)/.exec(text)?.[1]);
assert.equal(shown, 1_000_000);
