/**
 * Toolchains of other languages. A test uses one where a small program with the same needs compiles and starts: a command
 * that prints its version may lack a library, an extension or a compiler. Elsewhere the test is skipped with the reason.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { oncePer } from "./once-per.js";
import { temporaryFolder } from "./program.js";

/** Keeps plugins that the machine happens to have out of pytest, and the recipes free of files that Python adds. */
const python = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" };
const startsSoonest = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
/** Environment of Python and Java as tests run them. */
export const runtimes = { ...python, JDK_JAVA_OPTIONS: startsSoonest.join(" ") };

/** The same settings, for javac. */
export const javac = ["javac", ...startsSoonest.map((option) => `-J${option}`)];
export const pytest = ["python3", "-m", "pytest"];

const assemblies = ["System.Net.Http", "System.Runtime.Serialization", "System.Xml", "System.Xml.Linq"];
/** The compiler of C# with the assemblies of the kit. */
export const mcs = ["mcs", ...assemblies.map((name) => `-r:${name}.dll`)];

/** Where Debian's package junit5 puts its libraries, which need no Maven. */
const jars = "/usr/share/java";

/** Returns a class path of the working folder and the libraries of JUnit 5. */
export function junitClassPath(): string {
  const names = existsSync(jars) ? readdirSync(jars) : [];
  const libraries = names.filter((name) =>
    /^(?:junit-(?:jupiter|platform)|opentest4j|apiguardian)/.test(name),
  );
  return [".", ...libraries.map((name) => join(jars, name))].join(":");
}

/** The command that runs JUnit 5 on compiled classes. */
export const junit = (): string[] => [
  ...["java", "-cp", junitClassPath()],
  ...["org.junit.platform.console.ConsoleLauncher", "--disable-banner"],
];

interface Probe {
  files: Readonly<Record<string, string>>;
  /** Run in order, in a folder with the files. */
  commands: readonly (readonly string[])[];
}

const pythonImports = `from __future__ import annotations
import hashlib, hmac, json, urllib.request, uuid
from http.server import ThreadingHTTPServer
`;
const javaClass = `import com.sun.net.httpserver.HttpServer;
import java.net.http.HttpClient;
import java.util.HexFormat;
import javax.crypto.Mac;
public class Probe {
  public static void main(String[] args) throws Exception {
    Object name = HttpServer.class.getName() + HttpClient.newHttpClient() + HexFormat.of();
    if (name instanceof String text) System.out.println(text + Mac.getInstance("HmacSHA256"));
  }
}
`;

const probes = {
  python: {
    files: { "probe.py": `${pythonImports}import sys\nassert sys.version_info >= (3, 9), sys.version\n` },
    commands: [["python3", "probe.py"]],
  },
  pytest: {
    files: { "test_probe.py": `${pythonImports}\ndef test_it():\n    assert json.loads("1") == 1\n` },
    commands: [pytest],
  },
  "Python's requests": {
    files: { "probe.py": "import requests\n" },
    commands: [["python3", "probe.py"]],
  },
  openssl: { files: {}, commands: [["openssl", "version"]] },
  php: {
    files: {
      "probe.php": `<?php
declare(strict_types=1);
final class Probe { public function __construct(public readonly string $text) {} }
$probe = new Probe(hash_hmac('sha256', json_encode([1], JSON_THROW_ON_ERROR), 'key'));
stream_context_create(['http' => ['content' => $probe->text]]);
exit(in_array('http', stream_get_wrappers(), true) && ini_get('allow_url_fopen') ? 0 : 1);
`,
    },
    commands: [["php", "probe.php"]],
  },
  phpunit: {
    files: {
      "ProbeTest.php": `<?php
final class ProbeTest extends PHPUnit\\Framework\\TestCase {
    public function testIt(): void { self::assertSame('[1]', json_encode([1], JSON_THROW_ON_ERROR)); }
}
`,
    },
    commands: [["phpunit", "ProbeTest.php"]],
  },
  java: {
    files: { "Probe.java": javaClass },
    commands: [
      [...javac, "Probe.java"],
      ["java", "-cp", ".", "Probe"],
    ],
  },
  "JUnit 5": {
    files: {
      "ProbeTest.java":
        "class ProbeTest { @org.junit.jupiter.api.Test void it() { new java.math.BigDecimal(1); } }\n",
    },
    commands: [
      [...javac, "-cp", junitClassPath(), "ProbeTest.java"],
      [...junit(), "--select-class", "ProbeTest"],
    ],
  },
  go: {
    files: {
      "go.mod": "module example.com/probe\n\ngo 1.19\n",
      "probe_test.go": `package probe

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/http"
	"testing"
)

func TestIt(t *testing.T) {
	hmac.New(sha256.New, nil)
	http.NewServeMux()
}
`,
    },
    commands: [["go", "test", "./..."]],
  },
  csharp: {
    files: {
      "Probe.cs": `using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Xml.Linq;
class Probe {
  static void Main() {
    using (var client = new HttpClient()) JsonReaderWriterFactory.CreateJsonReader(new byte[] { 49 }, new System.Xml.XmlDictionaryReaderQuotas());
    new XElement("probe");
  }
}
`,
    },
    commands: [
      [...mcs, "-out:probe.exe", "Probe.cs"],
      ["mono", "probe.exe"],
    ],
  },
} satisfies Record<string, Probe>;

export type Toolchain = keyof typeof probes;

/** Returns which command of the toolchain's probe fails with this PATH and its complaint, or null if all succeed. */
export function complaintOf(toolchain: Toolchain, path = process.env.PATH): string | null {
  const { files, commands }: Probe = probes[toolchain];
  const cwd = temporaryFolder();
  try {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
    for (const [program = "", ...args] of commands) {
      const env = { ...process.env, ...runtimes, PATH: path };
      const ended = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 150_000 });
      if (ended.status === 0) continue;
      const printed = `${ended.stderr}${ended.stdout}`.trim().split("\n")[0];
      const complaint = ended.error?.message || printed || `exit code ${ended.status}`;
      return `${toolchain} cannot be used here: ${program} ${args.at(-1)}: ${complaint}`;
    }
    return null;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Returns why the toolchain cannot be used here, or null if it can. */
export const reasonToSkip = oncePer((toolchain: Toolchain) => complaintOf(toolchain));

/** Skips the test with the reason if the toolchain cannot be used here. */
export function skipWithout(toolchain: Toolchain, skip: TestContext["skip"]): void {
  const reason = reasonToSkip(toolchain);
  if (reason) skip(reason);
}
