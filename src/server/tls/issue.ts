/** Issues certificates: that of a local authority, and those that it signs for a server. */
import { generateKeyPair } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import type { pki as Pki } from "node-forge";
import { randomHex } from "../../time/random.js";
import { day, realNow, toDate } from "../../time/time.js";

/** A certificate and its private key, in PEM. */
export interface IssuedIdentity {
  certificate: string;
  key: string;
}

const authorityLifeMs = 3_650 * day;
/** Browsers accept certificates of at most 398 days. */
const serverLifeMs = 397 * day;
/** Certificates are valid from a day ago, because clocks differ. */
const toleranceMs = 1 * day;

const nameOf = (value: string): Pki.CertificateField[] => [{ name: "commonName", value }];

interface Issue {
  name: string;
  /** Null for a certificate that signs itself. */
  issuer: IssuedIdentity | null;
  lifeMs: number;
  extensions: object[];
}

async function issue({ name, issuer, lifeMs, extensions }: Issue): Promise<IssuedIdentity> {
  const { pki, sha256 } = await import("./forge.js");
  const { publicKey, privateKey: key } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const signer = issuer && pki.certificateFromPem(issuer.certificate);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  // A serial number is positive: its first bit must not be set.
  certificate.serialNumber = `01${randomHex(15)}`;
  certificate.validity.notBefore = toDate(realNow() - toleranceMs);
  certificate.validity.notAfter = toDate(realNow() + lifeMs);
  certificate.setSubject(nameOf(name));
  certificate.setIssuer(signer ? signer.subject.attributes : nameOf(name));
  certificate.setExtensions([...extensions, { name: "subjectKeyIdentifier" }]);
  certificate.sign(pki.privateKeyFromPem(issuer?.key ?? key), sha256.create());
  return { certificate: pki.certificateToPem(certificate), key };
}

/** Issues the certificate of an authority that signs server certificates alone. */
export const issueAuthority = (): Promise<IssuedIdentity> =>
  issue({
    name: `Standin local authority ${randomHex(4)}`,
    issuer: null,
    lifeMs: authorityLifeMs,
    extensions: [
      { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });

/** Issues the certificate of a server with these names and IP addresses, followed by that of its authority. */
export async function issueServer(
  hosts: readonly string[],
  authority: IssuedIdentity,
): Promise<IssuedIdentity> {
  const altNames = hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host }));
  const { certificate, key } = await issue({
    name: hosts[0] ?? "localhost",
    issuer: authority,
    lifeMs: serverLifeMs,
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames },
    ],
  });
  return { certificate: certificate + authority.certificate, key };
}
