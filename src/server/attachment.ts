/** A file's name as RFC 6266 has it: in ASCII for every client, and whole for those that read the longer form. */
export function attachment(filename: string): string {
  return `attachment; filename="${plain(filename)}"; filename*=UTF-8''${coded(filename)}`;
}

/** Letters without their marks; what then is no ASCII is an underscore. */
const plain = (filename: string): string =>
  filename
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]/gu, "_")
    .replaceAll(/["\\]/g, "\\$&");

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 8187 takes fewer characters as they are than URIs do. */
const coded = (filename: string): string =>
  encodeURIComponent(filename.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll(/['()*]/g, percent);
