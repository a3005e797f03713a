/** The package as `npm install --omit=optional` installs it: everything works except what needs an optional package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { met } from "../cli/verify/run-verify.js";
import { pact, pactFile } from "../pact/verify/pacts.js";
import { run, usePackage } from "../support/package.js";

const installed = usePackage({ optional: false });

const program = () => [process.execPath, join(installed.installed, "dist/standin.cjs")];
const base64 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("base64");

/** Calls a sandbox of the library, or of `standin exec`, and prints the replies as JSON. */
const script = (start: string) => `
  ${start}
  const upload = (bytes, name, fields = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("file", new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
    return form;
  };
  const png = "${base64("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0")}";
  const wav = "${base64("RIFF\x24\0\0\0WAVEfmt ")}";
  const calls = {
    "media-scan/image": upload(png, "photo.png"),
    "tools/remove-background": upload(png, "photo.png"),
    "tools/store-assets": upload(png, "icon.png", { kind: "icon", platform: "play" }),
    "tools/audio-convert": upload(wav, "note.wav", { target_format: "mp3" }),
    "tools/pdf-to-docx": upload(btoa("%PDF-1.7"), "report.pdf"),
    "tools/docx-to-pdf": upload(btoa("PK\x03\x04"), "report.docx"),
    "phone/verify/start": JSON.stringify({ phone: "08031234567" }),
    "media-scan/image#likely_ai": upload(png, "photo.png"),
    "media-scan/image#internal_error": upload(png, "photo.png"),
    "tools/docx-to-pdf#provider_timeout": upload(btoa("PK\x03\x04"), "report.docx"),
  };
  const answers = {};
  for (const [call, body] of Object.entries(calls)) {
    const [path, outcome] = call.split("#");
    const headers = { ...(outcome && { "X-Sandbox-Outcome": outcome }), "X-Service-Key": key, ...(typeof body === "string" ? { "Content-Type": "application/json" } : {}) };
    const reply = await fetch(url + "/v1/" + path, { method: "POST", headers, body });
    const { error } = await reply.json();
    answers[call] = [reply.status, error?.code, error?.message].filter(Boolean);
  }
  console.log(JSON.stringify(answers));`;

const refused = [
  503,
  "not_installed",
  expect.stringMatching(
    /^This operation cannot run here: the optional package [@\w/-]+ is not installed; add it with `npm install --include=optional`\.$/,
  ),
];
const answers = {
  "media-scan/image": refused,
  "tools/remove-background": refused,
  "tools/store-assets": refused,
  "tools/audio-convert": refused,
  "tools/pdf-to-docx": refused,
  "tools/docx-to-pdf": refused,
  "phone/verify/start": [201],
  "media-scan/image#likely_ai": [201],
  "media-scan/image#internal_error": [500, "internal_error", expect.any(String)],
  "tools/docx-to-pdf#provider_timeout": [504, "provider_timeout", expect.any(String)],
};

test("the library refuses operations that need an optional package and names the command that installs it, except for requested outcomes", async () => {
  const folder = installed.project("library");
  const source = script(`
    import { startSandbox } from "standin";
    const sandbox = await startSandbox();
    const { url } = sandbox;
    const { key } = sandbox.account();`);
  writeFileSync(join(folder, "script.mjs"), `${source}\nawait sandbox.close();`);
  const { stdout, stderr } = await run([process.execPath, "script.mjs"], folder);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(answers);
});

test("the program does so too", async () => {
  const folder = installed.project("program");
  writeFileSync(
    join(folder, "script.mjs"),
    script(`const { STANDIN_URL: url } = process.env; const key = "svc_test_light";`),
  );
  const { stdout } = await run([...program(), "exec", "--", process.execPath, "script.mjs"], folder);
  expect(JSON.parse(stdout)).toEqual(answers);
});

test("standin start --store names the command that installs the driver of PostgreSQL", async () => {
  const folder = installed.project("store");
  const { code, stdout, stderr } = await run(
    [...program(), "start", "--store", "postgres://127.0.0.1:1/team"],
    folder,
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "standin: --store postgres://… needs the package pg; install it with `npm install pg`\n",
  });
});

test("standin verify names the command that installs Pact's verifier", async () => {
  const folder = installed.project("verify");
  pactFile(pact([met]) as never, folder, "shop.json");
  const { code, stdout, stderr } = await run([...program(), "verify", "shop.json"], folder);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "standin: the optional package @pact-foundation/pact-core is not installed; add it with `npm install --include=optional`\n",
  });
});
