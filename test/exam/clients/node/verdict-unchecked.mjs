/** Verifies a phone. Bug: the test passes whatever the check says. */
import assert from "node:assert";
import { isRepaired, read, send } from "./kit.mjs";

const { id } = await send("POST", "/v1/phone/verify/start", { phone: "+2348031234567" });
const { codes } = await read("/_sandbox/inbox/wait?to=%2B2348031234567");
const { verified, status } = await send("POST", "/v1/phone/verify/check", { id, code: codes[0] });
if (isRepaired) assert.deepEqual([verified, status], [true, "verified"]);
