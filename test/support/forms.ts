/** multipart/form-data written byte by byte, right or wrong. */

export const boundary = "----standin-test";
export const formType = `multipart/form-data; boundary=${boundary}`;

export interface Part {
  /** Header lines without their line ends. */
  headers: readonly string[];
  content: string | Uint8Array;
}

export const field = (name: string, value: string): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content: value,
});

export const file = (name: string, content: string | Uint8Array, filename = "photo.png"): Part => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
    "Content-Type: application/octet-stream",
  ],
  content,
});

/** Everything of a part that stands before its content. */
export const beforeContent = ({ headers }: Part): string =>
  `--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n`;

export const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(beforeContent(part)),
      Buffer.from(part.content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** One transparent pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** A PNG of exactly so many bytes: what follows its end is ignored by every reader. */
export const pngOf = (bytes: number): Buffer => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);
