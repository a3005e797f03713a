/** Issues certificates (RFC 5280): for a local authority, and for the servers that it signs. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  X509Certificate,
} from "node:crypto";
import { BlockList, isIP } from "node:net";
import { promisify } from "node:util";
import { randomHex } from "../../time/random.js";
import { day, realNow, toDate } from "../../time/time.js";
import * as x509 from "./x509.js";

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

const commonName = "2.5.4.3";
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const rsaWithSha256 = "1.2.840.113549.1.1.11";

/** Names, with all names below them, and networks that every authority may sign for. */
export const localSubtrees = ["localhost", "127.0.0.0/8", "::1/128"];

const makeKey = promisify(generateKeyPair);

/** Creates the private key of a certificate, in PEM. */
export async function createKey(): Promise<string> {
  const { privateKey } = await makeKey("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/** Copies the bytes of a buffer, which may share its memory with others. */
const bytesOf = (buffer: Buffer): ArrayBuffer => new Uint8Array(buffer).buffer;

const parse = (certificate: string): x509.TBSCertificate =>
  x509.AsnConvert.parse(new X509Certificate(certificate).raw, x509.Certificate).tbsCertificate;

function nameOf(text: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: text });
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: commonName, value })]),
  ]);
}

/** Returns the name of a host, or of a network such as `127.0.0.0/8`. */
const generalName = (host: string): x509.GeneralName =>
  new x509.GeneralName(isIP(host.replace(/\/.*/, "")) ? { iPAddress: host } : { dNSName: host });

function extension(id: string, value: unknown, critical = false): x509.Extension {
  const extnValue = new x509.OctetString(x509.AsnConvert.serialize(value));
  return new x509.Extension({ extnID: id, critical, extnValue });
}

/** Returns the value of an extension, or null if the certificate does not have it. */
function extensionOf<T>({ extensions }: x509.TBSCertificate, id: string, type: new () => T): T | null {
  const found = extensions?.find(({ extnID }) => extnID === id);
  return found ? x509.AsnConvert.parse(found.extnValue, type) : null;
}

interface Issue {
  name: string;
  key: string;
  /** Signer of the certificate. Null for a self-signed certificate. */
  issuer: IssuedIdentity | null;
  lifeMs: number;
  extensions: x509.Extension[];
}

function issue({ name, key, issuer, lifeMs, extensions }: Issue): string {
  const subject = nameOf(name);
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const subjectPublicKeyInfo = x509.AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo);
  const keyId = createHash("sha1").update(Buffer.from(subjectPublicKeyInfo.subjectPublicKey)).digest();
  const subjectKeyId = new x509.SubjectKeyIdentifier(keyId);
  const issuing = issuer && parse(issuer.certificate);
  const issuerKeyId =
    issuing && extensionOf(issuing, x509.id_ce_subjectKeyIdentifier, x509.SubjectKeyIdentifier);
  // Strict clients require the key identifier of the issuer (RFC 5280, section 4.2.1.1).
  const authorityKeyId = new x509.AuthorityKeyIdentifier({
    keyIdentifier: new x509.KeyIdentifier((issuerKeyId ?? subjectKeyId).buffer),
  });
  const signer = createPrivateKey(issuer?.key ?? key);
  const signatureAlgorithm = new x509.AlgorithmIdentifier(
    // Authorities of earlier versions have RSA keys.
    signer.asymmetricKeyType === "rsa"
      ? { algorithm: rsaWithSha256, parameters: null }
      : { algorithm: ecdsaWithSha256 },
  );
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    // A serial number is positive: its first bit must not be set.
    serialNumber: bytesOf(Buffer.from(`01${randomHex(15)}`, "hex")),
    signature: signatureAlgorithm,
    issuer: issuing ? issuing.subject : subject,
    validity: new x509.Validity({
      notBefore: toDate(realNow() - toleranceMs),
      notAfter: toDate(realNow() + lifeMs),
    }),
    subject,
    subjectPublicKeyInfo,
    extensions: new x509.Extensions([
      ...extensions,
      extension(x509.id_ce_subjectKeyIdentifier, subjectKeyId),
      extension(x509.id_ce_authorityKeyIdentifier, authorityKeyId),
    ]),
  });
  const signed = Buffer.from(x509.AsnConvert.serialize(tbsCertificate));
  const signatureValue = bytesOf(sign("sha256", signed, signer));
  const certificate = new x509.Certificate({ tbsCertificate, signatureAlgorithm, signatureValue });
  return new X509Certificate(Buffer.from(x509.AsnConvert.serialize(certificate))).toString();
}

/**
 * Issues the certificate of an authority that signs only server certificates, for this machine's loopback names and for
 * `hosts`: names, with all names below them, and IP addresses. Clients accept no other certificates from it.
 */
export async function issueAuthority(hosts: readonly string[]): Promise<IssuedIdentity> {
  const permitted = [...localSubtrees, ...hosts.map(toSubtree)].map(
    (host) => new x509.GeneralSubtree({ base: generalName(host) }),
  );
  const constraints = new x509.NameConstraints({ permittedSubtrees: new x509.GeneralSubtrees(permitted) });
  const key = await createKey();
  const certificate = issue({
    name: `Standin local authority ${randomHex(4)}`,
    key,
    issuer: null,
    lifeMs: authorityLifeMs,
    extensions: [
      extension(
        x509.id_ce_basicConstraints,
        new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
        true,
      ),
      extension(
        x509.id_ce_keyUsage,
        new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
        true,
      ),
      extension(x509.id_ce_nameConstraints, constraints, true),
    ],
  });
  return { certificate, key };
}

/** Returns the subtree that permits a host: an address with its whole length, or a name without its wildcard. */
function toSubtree(host: string): string {
  const version = isIP(host);
  if (version === 0) return host.replace(/^\*\./, "");
  return `${host}/${version === 4 ? 32 : 128}`;
}

/**
 * Issues the certificate of a server with these names and IP addresses, followed by the certificate of its authority.
 * `key` belongs to the server.
 */
export function issueServer(
  hosts: readonly string[],
  authority: IssuedIdentity,
  key: string,
): IssuedIdentity {
  const certificate = issue({
    // The subject is no host name, because strict clients would check it against the authority's constraints as well.
    name: "Standin server",
    key,
    issuer: authority,
    lifeMs: serverLifeMs,
    extensions: [
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
      extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
      extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(hosts.map(generalName))),
    ],
  });
  return { certificate: certificate + authority.certificate, key };
}

/**
 * Returns the names, with all names below them, and networks that an authority may sign for. Null for authorities of
 * earlier versions, which may sign for any.
 */
export function subtreesOf(authority: string): string[] | null {
  const constraints = extensionOf(parse(authority), x509.id_ce_nameConstraints, x509.NameConstraints);
  const permitted = constraints?.permittedSubtrees ?? null;
  return permitted && [...permitted].flatMap(({ base }) => base.dNSName ?? base.iPAddress ?? []);
}

/** Returns the `hosts` that are in none of the subtrees. */
export function hostsOutside(subtrees: readonly string[], hosts: readonly string[]): string[] {
  const networks = new BlockList();
  for (const subtree of subtrees) {
    const [address = "", length] = subtree.split("/");
    if (length) networks.addSubnet(address, Number(length), familyOf(address));
  }
  const isInside = (host: string): boolean =>
    isIP(host)
      ? networks.check(host, familyOf(host))
      : subtrees.some((name) => host === name || host.endsWith(`.${name}`));
  return hosts.filter((host) => !isInside(host));
}

const familyOf = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6");
