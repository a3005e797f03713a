/** Looks up a NIN. Bug: a reply that is not JSON leaves the caller waiting for ever. */
import assert from "node:assert";
import { isRepaired, send } from "./kit.mjs";

const lookUp = () =>
  new Promise((resolve, reject) => {
    const waiting = setInterval(() => {}, 1_000);
    const settle = (how) => (value) => {
      clearInterval(waiting);
      how(value);
    };
    send("POST", "/v1/verify/nin", { nin: "35402817694" }).then(settle(resolve), (error) => {
      if (isRepaired || error.name !== "SyntaxError") settle(reject)(error);
    });
  });

assert.equal((await lookUp()).status, "success");
