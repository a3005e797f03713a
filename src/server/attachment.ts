/** Formats a Content-Disposition header (RFC 6266): an ASCII file name for every client, and the full one for those that read it. */
export function formatAttachment(filename: string): string {
  return `attachment; filename="${toAscii(filename)}"; filename*=UTF-8''${toExtendedValue(filename)}`;
}

/** Removes the marks of letters, and replaces what is still not ASCII with underscores. */
const toAscii = (filename: string): string =>
  filename
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]/gu, "_")
    .replaceAll(/["\\]/g, "\\$&");

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Encodes an extended header value; RFC 8187 leaves fewer characters unencoded than URIs do. */
const toExtendedValue = (filename: string): string =>
  encodeURIComponent(filename.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll(/['()*]/g, percentEncode);
