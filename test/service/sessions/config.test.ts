/** The media server and the domain servers of `standin.config.json`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/cli/sandbox-options.js";
import { startSandbox } from "../../../src/index.js";
import { runProgram, startProgram, temporaryFolder } from "../../support/program.js";
import { checked, nothing, started } from "../domains/dashboard.js";
import { token } from "./rooms.js";

function folderWith(config: object): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "standin.config.json"), JSON.stringify(config));
  return folder;
}

test("livekit and domains of the config file apply to the sandbox", async () => {
  const livekit = { url: "ws://127.0.0.1:7880", key: "APIown", secret: "own" };
  const domains = { lookup: "real", resolver: "127.0.0.1:9", origin: "http://127.0.0.1:9" };
  const program = await startProgram(["--memory"], folderWith({ livekit, domains }));
  const account = program.account("svc_test_config");
  const { url, token: jwt } = await token(account);
  expect(url).toBe(livekit.url);
  const claims = JSON.parse(Buffer.from(jwt.split(".")[1], "base64url").toString());
  expect(claims.iss).toBe("APIown");
  // A sandbox with simulated lookups would find this proof.
  const { id } = await started(account);
  await account.control("POST", "/domains/shop.example/proof", { method: "dns_txt" });
  expect(await checked(account, id)).toEqual(nothing);
  await program.stop();
});

describe("the config file may have some or all of them", () => {
  test.each([
    { livekit: {} },
    { livekit: { url: "wss://media.example" } },
    { livekit: { key: "k", secret: "s" } },
    { domains: { lookup: "real" } },
    { domains: { lookup: "real", resolver: "9.9.9.9" } },
    { domains: { lookup: "real", resolver: "[::1]:5353", origin: "http://{domain}:8080" } },
  ])("%j", async (config) => {
    const file = join(folderWith(config), "standin.config.json");
    const sandbox = await startSandbox((await readConfig(file)) as object);
    await sandbox.close();
  });
});

describe("an invalid setting is reported with the valid values", () => {
  test.each([
    [{ livekit: { uri: "ws://127.0.0.1" } }, "livekit.uri is not known; the nearest is livekit.url"],
    [{ livekit: { url: 7880 } }, "livekit.url must be a string"],
    [{ livekit: "ws://127.0.0.1" }, "livekit must be an object"],
    [{ domains: { lookup: "dns" } }, "domains.lookup must be one of simulated, real"],
    [{ domains: { resolver: 53 } }, "domains.resolver must be a string"],
  ])("in the config file: %j", async (config, says) => {
    await expect(readConfig(join(folderWith(config), "standin.config.json"))).rejects.toThrow(says);
  });

  test.each([
    [
      { livekit: { url: "http://127.0.0.1:7880" } },
      'livekit.url must be a websocket address such as ws://127.0.0.1:7880; got "http://127.0.0.1:7880"',
    ],
    [{ livekit: { url: "ws://" } }, "livekit.url must be"],
    [{ livekit: { key: "", secret: "s" } }, "livekit.key must be some text"],
    [{ livekit: { key: "k", secret: "" } }, "livekit.secret must be some text"],
    [{ livekit: { key: "k" } }, "livekit.secret is missing"],
    [{ livekit: { secret: "s" } }, "livekit.key is missing"],
    [{ domains: { lookup: "dns" as "real" } }, "domains.lookup must be one of simulated, real"],
    [{ domains: { resolver: "localhost" } }, "such as 127.0.0.1:5353"],
    [{ domains: { resolver: "127.0.0.1:0" } }, "domains.resolver must be"],
    [{ domains: { resolver: "127.0.0.1:65536" } }, "domains.resolver must be"],
    [{ domains: { resolver: "256.0.0.1:53" } }, "domains.resolver must be"],
    [{ domains: { resolver: "" } }, "domains.resolver must be"],
    [{ domains: { origin: "127.0.0.1:8080" } }, "such as http://127.0.0.1:8080 or http://{domain}:8080"],
    [{ domains: { origin: "http://127.0.0.1/files" } }, "domains.origin must be"],
    [{ domains: { origin: "http://user@127.0.0.1" } }, "domains.origin must be"],
    [{ domains: { origin: "http://127.0.0.1:port" } }, "domains.origin must be"],
    [{ domains: { origin: "http://{domain}.127.0.0.1" } }, "domains.origin must be"],
  ])("when a sandbox is started with %j", async (options, says) => {
    await expect(startSandbox(options)).rejects.toThrow(says);
  });

  test("when the program is started: one line on stderr, exit code 2", async () => {
    const folder = folderWith({ livekit: { key: "APIown" } });
    const { code, stdout, stderr } = await runProgram(["start", "--memory", "--port", "0"], folder);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "standin: --livekit-key and --livekit-secret belong together; --livekit-secret is missing\n",
    );
  });
});
