/** Writes multipart/form-data byte by byte, valid or invalid. */

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

/** Returns everything of a part that precedes its content. */
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

/** Returns a PNG of exactly `bytes` bytes. Readers ignore what follows its end. */
export const pngOf = (bytes: number): Buffer => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);
