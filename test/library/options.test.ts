import { expect, test } from "vitest";
import { type SandboxOptions, startSandbox } from "../../src/index.js";

test.each<[object, string]>([
  [{ port: "x" }, 'port must be an integer; got "x".'],
  [{ port: 65_536 }, "port must be at most 65535; got 65536."],
  [{ asumptions: {} }, "asumptions is not known; the nearest is assumptions."],
  [{ sed: "x" }, "sed is not known; the nearest is seed."],
  [{ livekit: { urll: "ws://x" } }, "livekit.urll is not known; the nearest is livekit.url."],
  [
    { tools: { ffmpeg: "off" } },
    "tools.ffmpeg was removed in version 0.3: leave it out, since the built-in engine converts every sound that it can decode.",
  ],
  [
    { tools: { libreoffice: "auto" } },
    "tools.libreoffice was removed in version 0.3: leave it out, since the built-in engine converts every document.",
  ],
  [{ latency: "x" }, 'latency must be one of none, documented; got "x".'],
  [{ durability: "y" }, 'durability must be one of process, power; got "y".'],
  [{ data: 1 }, "data must be a string or null; got 1."],
  [{ keys: "svc_test_one" }, 'keys must be an array; got "svc_test_one".'],
  [{ validateReplies: "yes" }, 'validateReplies must be a boolean; got "yes".'],
  [{ warn: "aloud" }, "warn must be a function."],
  [{ publicUrl: "mailto:x" }, 'publicUrl must be an http or https URL; got "mailto:x".'],
  [{ assumptions: { "http.created": "teapot" } }, "created or ok"],
])("%j is refused with the valid values", async (options, says) => {
  await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(says);
});

test("all problems are reported at once", async () => {
  const options = { port: "x", latency: "y" } as unknown as SandboxOptions;
  await expect(startSandbox(options)).rejects.toThrow(/port must .* latency must /);
});

test("null means the default where the types allow it", async () => {
  const none = { publicUrl: null, data: null, adminToken: null };
  const sandbox = await startSandbox({ ...none, domains: { resolver: null, origin: null } });
  expect(sandbox.url).toMatch(/^http:/);
  await sandbox.close();
});
