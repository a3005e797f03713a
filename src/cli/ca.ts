/** `standin ca`: prints the local authority that signs the certificates of `standin start --tls`. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultFolder } from "../contract/options.js";
import { toCertifiedName } from "../server/settings.js";
import { authorityFolder, fingerprintOf, loadAuthority } from "../server/tls/identity.js";
import { topCommand } from "./command-list.js";
import { UsageError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { type JsonFlag, jsonOption, printResult } from "./output/print.js";
import { type SandboxFlags, sandboxOption, toSandboxOptions } from "./sandbox-options.js";

const options = flagTable(null, [
  sandboxOption("data"),
  sandboxOption("allowHosts"),
  ["--new", "replace the authority with a new one, which clients must trust again"],
]);

const notes = `Clients trust the sandbox's certificates once they trust the authority:
  Node              NODE_EXTRA_CA_CERTS=standin-ca.pem
  curl              curl --cacert standin-ca.pem (or CURL_CA_BUNDLE)
  Python, requests  REQUESTS_CA_BUNDLE=standin-ca.pem; Python's ssl and Go: SSL_CERT_FILE=standin-ca.pem
  Java              keytool -importcert -noprompt -alias standin -file standin-ca.pem -keystore standin.p12 -storepass changeit
                    java -Djavax.net.ssl.trustStore=standin.p12 -Djavax.net.ssl.trustStorePassword=changeit
  Android           put it into res/raw/standin_ca.pem, and into res/xml/network_security_config.xml:
                    <network-security-config><debug-overrides><trust-anchors>
                      <certificates src="@raw/standin_ca"/></trust-anchors></debug-overrides></network-security-config>
The authority is made when it is needed first, for localhost, the names below it, loopback addresses, and the names in
--allow-host and of the start that makes it. Clients accept it for no other name. Its key never leaves the data folder.`;

export const caCommand = (): Command =>
  withFlags(
    topCommand(
      "ca",
      [
        "standin ca > standin-ca.pem",
        "NODE_EXTRA_CA_CERTS=standin-ca.pem npm test",
        "curl --cacert standin-ca.pem https://localhost:4443/healthz",
        "standin ca --new --allow-host shop.internal > standin-ca.pem",
      ],
      notes,
    ),
    options,
    jsonOption("print certificate, fingerprint and folder as one JSON document"),
  ).action(printAuthority);

async function printAuthority(flags: SandboxFlags & FlagsOf<typeof options> & JsonFlag): Promise<void> {
  const { data, allowHosts = [] } = toSandboxOptions(flags, {});
  const folder = authorityFolder(resolve(data ?? defaultFolder));
  const load = async () => loadAuthority(folder, allowHosts.map(toCertifiedName), flags.new);
  const authority = await load().catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const { certificate } = authority;
  const result = { certificate, fingerprint: fingerprintOf(authority), folder };
  printResult(flags, result, () => certificate.trimEnd());
}
